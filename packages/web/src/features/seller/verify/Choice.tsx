import type { ComponentProps } from 'react'

/** One of a few, as a card that can be pressed anywhere. */
export function Choice({ label, hint, ...rest }: ComponentProps<'input'> & { label: string; hint: string }) {
  return (
    <label className="flex cursor-pointer gap-3 rounded-box border border-edge/60 p-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input {...rest} type="radio" className="mt-0.5 size-5 shrink-0 accent-accent" />
      <span className="flex flex-col">
        <span className="font-medium">{label}</span>
        <span className="text-14 text-ink-muted">{hint}</span>
      </span>
    </label>
  )
}
