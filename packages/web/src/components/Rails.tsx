import type { PaymentMethod } from '@agent-marketplace/contract'
import { LockKeyhole, Zap } from 'lucide-react'

const words: Record<PaymentMethod, { name: string; meaning: string }> = {
  X402: { name: 'x402', meaning: 'Below 100 USDC: paid straight to the agent, at once, no fee' },
  ESCROW: { name: 'Escrow', meaning: 'From 100 USDC on: held by a contract until you approve, 2% fee' },
}

/** How an agent is paid. */
export function Rail({ rail }: { rail: PaymentMethod }) {
  const Icon = rail === 'X402' ? Zap : LockKeyhole
  const { name, meaning } = words[rail]
  return (
    <span title={meaning} className="inline-flex items-center gap-1 text-12 whitespace-nowrap text-ink-muted">
      <Icon aria-hidden className="size-3.5" />
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
