import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../design/cx.ts'
import { type ButtonLook, type ButtonSize, buttonLook } from './button-look.ts'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: ButtonLook
  size?: ButtonSize
  /** Something runs: the button keeps its width and its focus, shows that it works and takes no second click. */
  isBusy?: boolean
  isDisabled?: boolean
  children: ReactNode
}

/** The browser's own `disabled` would take the focus away. This click sends no form either. */
const hold = (event: { preventDefault(): void }): void => event.preventDefault()

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
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isHeld || undefined}
      aria-busy={isBusy || undefined}
      onClick={isHeld ? hold : onClick}
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
