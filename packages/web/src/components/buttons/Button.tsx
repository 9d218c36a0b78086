import { LoaderCircle } from 'lucide-react'
import { type ComponentProps, type MouseEvent, type ReactNode, useRef } from 'react'
import { cx } from '../../design/cx.ts'
import { type ButtonLook, type ButtonSize, buttonLook } from './button-look.ts'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: ButtonLook
  size?: ButtonSize
  /** Something runs: the button keeps its width and its focus, shows that it works and takes no second click. */
  isBusy?: boolean
  isDisabled?: boolean
  children: ReactNode
}

/** The browser's own `disabled` would take the focus away. This click sends no form and reaches nobody either. */
function hold(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

export function Button({
  look = 'secondary',
  size = 'regular',
  isBusy = false,
  isDisabled = false,
  type = 'button',
  onClick,
  className,
  children,
  ...rest
}: ButtonProps) {
  const isHeld = isBusy || isDisabled
  const wasMeant = useRef(false)
  const isTaken = useRef(false)
  /**
   * The later clicks of a double click belong to what the first one met: a button that came to that place in between is not
   * meant. What a click starts is known with the next picture: until then, another one on the same button is held too.
   */
  const take = (event: MouseEvent<HTMLButtonElement>): void => {
    wasMeant.current ||= event.detail < 2
    if (isHeld || isTaken.current || !wasMeant.current) {
      hold(event)
      return
    }
    isTaken.current = true
    requestAnimationFrame(() =>
      setTimeout(() => {
        isTaken.current = false
      }),
    )
    onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isHeld || undefined}
      aria-busy={isBusy || undefined}
      onClick={take}
      className={cx(buttonLook(look, size), className)}
    >
      {isBusy ? (
        <span className="grid place-items-center">
          <LoaderCircle aria-hidden className="col-start-1 row-start-1 size-4 animate-spin" />
          <span className="invisible col-start-1 row-start-1 inline-flex items-center gap-2">{children}</span>
          <span className="sr-only">Working</span>
        </span>
      ) : (
        children
      )}
    </button>
  )
}
