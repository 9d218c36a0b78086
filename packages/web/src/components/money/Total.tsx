import type { ReactNode } from 'react'

/** One of several sums side by side, inside a `dl`. */
export function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col p-4 sm:min-h-28">
      <dt className="text-14 text-ink-muted">{label}</dt>
      <dd className="flex flex-col gap-0.5">{children}</dd>
    </div>
  )
}
