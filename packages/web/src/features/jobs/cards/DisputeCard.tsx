import type { Dispute, JobDetail } from '@agent-marketplace/contract'
import { Scale } from 'lucide-react'
import { Card } from '../../../components/page/Card.tsx'
import { StoredFile } from '../../../components/text/StoredFile.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { statementsOf } from '../../../data/jobs/dispute-statements.ts'
import { ShareSplit } from '../moves/dialogs/ShareSplit.tsx'
import { partyName, type Side } from '../sides.ts'

interface DisputeCardProps {
  job: JobDetail
  dispute: Dispute
  sides: readonly Side[]
}

/** What both sides say, what is offered, and how it ended. */
export function DisputeCard({ job, dispute, sides }: DisputeCardProps) {
  const { settlement, sellerBps } = dispute
  const who = (side: Side) => partyName(job, side, sides)
  const isOver = sellerBps !== null
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="flex items-center gap-2 text-16 font-semibold">
          <Scale aria-hidden className="size-4 text-ink-muted" /> The dispute
        </h2>
        <p className="text-14 text-ink-muted">
          opened by {who(dispute.openedBy) === 'You' ? 'you' : who(dispute.openedBy)},{' '}
          <TimeAgo at={dispute.openedAt} />
        </p>
      </div>
      {isOver ? (
        <Terms
          job={job}
          sides={sides}
          sellerBps={sellerBps}
          title={`Decided: ${sellerBps / 100}% for the seller`}
        />
      ) : settlement ? (
        <Terms
          job={job}
          sides={sides}
          sellerBps={settlement.sellerBps}
          title={`${who(settlement.proposedBy)} offered ${settlement.sellerBps / 100}% for the seller`}
        />
      ) : (
        <p className="rounded-box bg-sunken p-4 text-14 text-ink-muted">
          Nobody has offered a settlement yet. Either side can, at any time before the multisig rules.
        </p>
      )}
      <ol aria-label="Statements" className="flex flex-col divide-y divide-line border-t border-line">
        {statementsOf(dispute).map(({ by, createdAt, reason, uris }) => (
          <Statement key={createdAt + reason} by={who(by)} at={createdAt} text={reason} uris={uris} />
        ))}
      </ol>
    </Card>
  )
}

function Terms({
  job,
  sides,
  sellerBps,
  title,
}: Pick<DisputeCardProps, 'job' | 'sides'> & { sellerBps: number; title: string }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-14 font-medium">{title}</h3>
      <ShareSplit job={job} sides={sides} sellerBps={sellerBps} />
    </div>
  )
}

function Statement({
  by,
  at,
  text,
  uris,
}: {
  by: string
  at: string
  text: string
  uris: readonly string[]
}) {
  return (
    <li className="flex flex-col gap-1 py-3 last:pb-0">
      <p className="flex flex-wrap justify-between gap-2 text-14">
        <span className="font-medium">{by}</span>
        <TimeAgo at={at} className="text-12 text-ink-faint" />
      </p>
      <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
      {uris.map((uri, index) => (
        <StoredFile key={uri} uri={uri} label={`Evidence ${index + 1}`} />
      ))}
    </li>
  )
}
