import type { ReactNode } from 'react'

/** A figure in a list of them, with what it is a figure of. */
export function Figure({ label, value, sum }: { label: string; value: ReactNode; sum: string }) {
  return (
    <div>
      <dt className="text-12 text-ink-faint">{label}</dt>
      <dd>
        <span className="text-16 font-medium">{value}</span>
        <span className="block text-12 text-ink-muted">{sum}</span>
      </dd>
    </div>
  )
}
