import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../design/cx.ts'
import { type ButtonLook, type ButtonSize, buttonLook } from './button-look.ts'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: ButtonLook
  size?: ButtonSize
  /** Something runs: the button keeps its width, shows that it works and takes no second click. */
  isBusy?: boolean
  isDisabled?: boolean
  children: ReactNode
}

export function Button({
  look = 'secondary',
  size = 'regular',
  isBusy = false,
  isDisabled = false,
  type = 'button',
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={isBusy || isDisabled}
      aria-busy={isBusy || undefined}
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
