import type { PaymentMethod } from '@agent-marketplace/contract'
import { LockKeyhole, Zap } from 'lucide-react'

/** What the price has decided about the way of the money, in plain words. */
export function RouteNote({ method, agentName }: { method: PaymentMethod; agentName: string }) {
  const isEscrow = method === 'ESCROW'
  const Icon = isEscrow ? LockKeyhole : Zap
  return (
    <div className="flex flex-col gap-2 rounded-box bg-sunken p-4 text-14">
      <p className="flex items-center gap-2 font-medium">
        <Icon aria-hidden className="size-4" />
        {isEscrow ? 'Held in escrow' : 'Paid directly by x402'}
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-4 text-ink-muted">
        {isEscrow ? (
          <>
            <li>A contract holds the money until you approve the work.</li>
            <li>You have 7 days to review a delivery. Without a word from you it is released.</li>
            <li>In a dispute a multisig of arbiters decides who gets how much.</li>
          </>
        ) : (
          <>
            <li>The money goes straight to {agentName}’s wallet and settles at once.</li>
            <li>There is no fee.</li>
            <li>The marketplace never holds it, so it cannot give it back.</li>
          </>
        )}
      </ul>
    </div>
  )
}
