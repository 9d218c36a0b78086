import { cx } from '../../design/cx.ts'

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'regular' | 'small'

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-edge/60 bg-surface text-ink hover:bg-sunken',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover',
}

/** 44 px high for fingers; the small one has an area of the same height around it. */
const sizes: Record<ButtonSize, string> = {
  regular: 'min-h-11 px-4 text-16',
  small: 'relative min-h-8 px-3 text-14 after:absolute after:-inset-y-1.5 after:inset-x-0',
}

/** The look that buttons and links which act like one share. */
export function buttonLook(look: ButtonLook, size: ButtonSize): string {
  return cx(
    'inline-flex max-w-full items-center justify-center gap-2 rounded-box font-medium whitespace-nowrap transition-colors select-none',
    'aria-disabled:opacity-50 aria-disabled:pointer-events-none',
    looks[look],
    sizes[size],
  )
}
