import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../design/cx.ts'
import { useFieldWiring } from './Field.tsx'

const box =
  'w-full rounded-box border border-edge bg-surface text-16 text-ink placeholder:text-ink-faint aria-invalid:border-danger disabled:bg-sunken disabled:text-ink-faint'

/** All of these work inside <Field> and with react-hook-form's `register`. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldWiring()} {...rest} className={cx(box, 'h-11 px-3', className)} />
}

export function TextArea({ className, rows = 5, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldWiring()}
      rows={rows}
      {...rest}
      className={cx(box, 'min-h-24 px-3 py-2', className)}
    />
  )
}

/** The browser's own list: it works with every keyboard, reader and phone. Give <option>s. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cx('relative block', className)}>
      <select {...useFieldWiring()} {...rest} className={cx(box, 'h-11 appearance-none pr-9 pl-3')} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-3.5 right-3 size-4 text-ink-muted"
      />
    </span>
  )
}

export function Checkbox({
  label,
  hint,
  className,
  ...rest
}: ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode }) {
  return (
    <label className={cx('flex min-h-11 cursor-pointer items-start gap-3 py-2.5', className)}>
      <input {...rest} type="checkbox" className="mt-0.5 size-5 shrink-0 accent-accent" />
      <span className="flex flex-col">
        <span>{label}</span>
        {hint && <span className="text-14 text-ink-muted">{hint}</span>}
      </span>
    </label>
  )
}

/** A value on a scale, with what it means beside it. */
export function Slider({ valueText, className, ...rest }: ComponentProps<'input'> & { valueText: string }) {
  return (
    <span className={cx('flex h-11 items-center gap-3', className)}>
      <input
        {...useFieldWiring()}
        {...rest}
        type="range"
        aria-valuetext={valueText}
        className="h-11 w-full cursor-pointer accent-accent"
      />
      <output className="min-w-16 text-right font-mono text-14">{valueText}</output>
    </span>
  )
}
