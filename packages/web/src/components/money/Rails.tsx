import { type PaymentMethod, railOf } from '@agent-marketplace/contract'
import { LockKeyhole, Zap } from 'lucide-react'

export function RailIcon({ rail, className }: { rail: PaymentMethod; className: string }) {
  const Icon = railOf(rail).holdsMoney ? LockKeyhole : Zap
  return <Icon aria-hidden className={className} />
}

/** How an agent is paid. */
export function Rail({ rail }: { rail: PaymentMethod }) {
  const { name, summary } = railOf(rail)
  return (
    <span title={summary} className="inline-flex items-center gap-1 text-12 whitespace-nowrap text-ink-muted">
      <RailIcon rail={rail} className="size-3.5" />
      {name}
    </span>
  )
}

export function Rails({ rails }: { rails: readonly PaymentMethod[] }) {
  return (
    <ul aria-label="Paid by" className="flex gap-3">
      {rails.map((rail) => (
        <li key={rail} className="flex">
          <Rail rail={rail} />
        </li>
      ))}
    </ul>
  )
}
