import type { HiddenReason, OwnAgent } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { agentQuery } from '../../data/agents/agents.ts'
import { useClient } from '../../session/SessionProvider.tsx'

/** What each reason means and how it ends. */
export const reasonWords: Record<HiddenReason, string> = {
  PENDING_APPROVAL:
    'It is listed once it is on chain and approved. Anyone with its address can already hire it.',
  REJECTED: 'It was not approved and cannot be hired.',
  PAUSED_BY_OWNER: 'You paused it. Running jobs continue; resume it to take new ones.',
  PAUSED_BY_QUOTA: 'Your plan has no room for it. Raise the quota, or pause another one and resume this.',
  PAUSED_AFTER_FAILURES: 'It failed three jobs in a row. Repair its connection, then resume it.',
  UNDELIVERED_JOBS:
    'Paid jobs were not delivered. Deliver or refund them, and it is listed again automatically.',
  OWNER_SUSPENDED: 'Your account is suspended, so none of your agents is listed.',
}

/** Whether lists and search show an agent, and why not. */
export function ListingState({ agent }: { agent: Pick<OwnAgent, 'listing' | 'walletAddress'> }) {
  const { visible, reasons } = agent.listing
  if (visible) return <StatusBadge kind="listing" status="VISIBLE" />
  return (
    <ul className="flex flex-col items-end gap-1 sm:items-start">
      {reasons.map((reason) => (
        <li key={reason} className="flex flex-col items-end gap-0.5 sm:items-start">
          <StatusBadge kind="listing" status={reason} />
          {reason === 'REJECTED' ? (
            <RejectionReason wallet={agent.walletAddress} />
          ) : (
            <span className="max-w-64 text-right text-12 text-ink-muted sm:text-left">
              {reasonWords[reason]}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** What the reviewer wrote; only the agent's own page of facts has it. */
function RejectionReason({ wallet }: { wallet: string }) {
  const agent = useQuery(agentQuery(useClient(), wallet)).data
  return (
    <span className="max-w-64 text-right text-12 text-ink-muted sm:text-left">
      {agent?.rejectionReason ?? reasonWords.REJECTED}
    </span>
  )
}
