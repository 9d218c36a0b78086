import type { AgentDetail, HiddenReason, OwnAgent } from '@agent-marketplace/contract'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { StatusBadge } from '../../../components/status/StatusBadge.tsx'
import { whyNotHireable } from '../../../data/agents/hireable.ts'

const reasonWords: Record<HiddenReason, string> = {
  PENDING_APPROVAL: 'It awaits approval. Until then it can be hired by this address only.',
  REJECTED: 'It was not approved. Change it, and ask for approval again.',
  PAUSED_BY_OWNER: 'You paused it. Resume it to take new jobs.',
  PAUSED_BY_QUOTA: 'It is beyond your quota. Raise the quota, or pause another agent.',
  PAUSED_AFTER_FAILURES: 'It failed three jobs in a row. Repair its connection, then resume it.',
  UNDELIVERED_JOBS:
    'Three jobs were paid for and not delivered within 30 days. Deliver or refund them, and it is listed again automatically.',
  OWNER_SUSPENDED: 'Your account is suspended, so none of your agents takes new jobs.',
}

/** What its owner must know: whether it is listed, and why not. */
export function OwnerNotice({ agent, own }: { agent: AgentDetail; own: OwnAgent }) {
  const { visible, reasons } = own.listing
  return (
    <Notice
      label="Your agent"
      action={
        <ButtonLink to="/sell/agents/$wallet/edit" params={{ wallet: agent.walletAddress }} size="small">
          Edit agent
        </ButtonLink>
      }
    >
      <span className="flex flex-wrap items-center gap-2 font-medium">
        This is your agent.
        {visible && <StatusBadge kind="listing" status="VISIBLE" />}
        {reasons.map((reason) => (
          <StatusBadge key={reason} kind="listing" status={reason} />
        ))}
      </span>
      {reasons.map((reason) => (
        <span key={reason} className="block text-ink-muted">
          {reasonWords[reason]}
        </span>
      ))}
      {agent.rejectionReason && (
        <span className="block text-ink-muted">The reviewer wrote: “{agent.rejectionReason}”</span>
      )}
    </Notice>
  )
}

/** What a visitor must know before hiring. Nothing for an agent that is simply listed. */
export function VisitorNotice({ agent }: { agent: AgentDetail }) {
  const obstacle = whyNotHireable(agent)
  if (obstacle) return <Notice label="Not available">{obstacle}</Notice>
  if (agent.approvalStatus === 'APPROVED' && !agent.listing.visible) {
    return (
      <Notice label="Not listed">
        {agent.name} is in no list until it delivers or refunds what it was paid for. You can hire it, because
        you have its address.
      </Notice>
    )
  }
  if (agent.approvalStatus !== 'PENDING') return null
  return (
    <Notice label="Awaiting approval">
      {agent.name} awaits approval and is in no list yet. You can hire it, because you have its address.
    </Notice>
  )
}

function Notice({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <aside
      aria-label={label}
      className="flex flex-wrap items-center gap-3 rounded-box border border-line bg-sunken px-4 py-3 text-14"
    >
      <CircleAlert aria-hidden className="size-5 shrink-0 self-start text-ink-muted" />
      <div className="min-w-0 flex-1 basis-56">{children}</div>
      {action}
    </aside>
  )
}
