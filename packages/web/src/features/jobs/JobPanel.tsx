import type { JobDetail, PendingAction } from '@agent-marketplace/contract'
import { Suspense, useState } from 'react'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { CopyButton } from '../../components/buttons/CopyButton.tsx'
import { Card } from '../../components/page/Card.tsx'
import { LiveRegion } from '../../components/page/LiveRegion.tsx'
import { Countdown } from '../../components/text/Time.tsx'
import { lazyPart } from '../../data/connection/load-code.ts'
import { useNowMs } from '../../data/platform/clock.ts'
import { useOwner } from '../../session/SessionProvider.tsx'
import { isOpen } from '../../transactions/story.ts'
import { useJobTransaction } from '../../transactions/TransactionProvider.tsx'
import { openClaimOf } from './chain-lag.ts'
import { JobMoney } from './JobMoney.tsx'
import { JobStory } from './JobStory.tsx'
import { type Situation, situationOf, viewerOf } from './job-words.ts'
import { MoveButtons } from './moves/MoveButtons.tsx'
import { type Move, placeMoves } from './moves/place-moves.ts'
import type { Side } from './sides.ts'
import { useStickyTop } from './useStickyTop.ts'

const MoveForm = lazyPart(() => import('./moves/dialogs/MoveForm.tsx'))

/** While a payment is being settled, nobody may be led to pay again. */
const paying: Situation = {
  title: 'Payment pending',
  text: 'Your payment is being settled. Do not pay again.',
  limit: undefined,
}

/** Neither side may take a claim for made before the chain has it. */
function claimingOf({ action, dueBy }: PendingAction): Situation {
  return {
    title: action === 'DISPUTE' ? 'Dispute pending' : 'Refund pending',
    text: 'The chain has not confirmed it yet. The service is sending it; the wallet that requested it can also send it.',
    limit: dueBy === null ? undefined : { label: 'Must arrive by', until: dueBy, over: 'Over' },
  }
}

const isOver = ({ status }: JobDetail): boolean => status === 'COMPLETED' || status === 'CANCELLED'

/** What happens now: whose turn it is, until when, and the one thing that I can do about it. */
export function JobPanel({ job, sides }: { job: JobDetail; sides: readonly Side[] }) {
  const { isAdmin } = useOwner()
  const nowMs = useNowMs(15_000)
  const [move, setMove] = useState<Move>()
  const { ref: panel, topPx } = useStickyTop()
  const transaction = useJobTransaction(job.id)
  const isPaying = job.status === 'PENDING' && transaction?.kind === 'payment' && isOpen(transaction)
  const claim = openClaimOf(job)
  const known = claim ? claimingOf(claim) : situationOf(job, viewerOf(job, sides), nowMs)
  const { title, text, limit } = isPaying ? paying : known
  const isOnlooker = sides.length === 0
  return (
    <aside
      ref={panel}
      aria-label="What happens now"
      style={{ top: topPx }}
      className="flex min-w-0 flex-col gap-6 lg:sticky lg:col-start-2 lg:row-start-1"
    >
      <Card className="flex flex-col gap-4">
        <div className="flex flex-col gap-1">
          <h2 className="text-20 font-semibold">{title}</h2>
          <p className="text-14 text-ink-muted">{text}</p>
        </div>
        {limit && (
          <p className="flex items-baseline justify-between gap-4 rounded-box bg-sunken px-4 py-3 text-14">
            <span className="text-ink-muted">{limit.label}</span>
            <Countdown until={limit.until} over={limit.over} className="font-medium" />
          </p>
        )}
        {claim && !isOnlooker && (
          <p className="flex items-center gap-2 text-14 text-ink-muted">
            The call for the wallet that requested it
            <CopyButton text={claim.calldata.data} label="Copy the call" />
          </p>
        )}
        {!isPaying && !claim && (
          <MoveButtons job={job} sides={sides} moves={placeMoves(job)} onChoose={setMove} />
        )}
        {sides.includes('CLIENT') && isOver(job) && (
          <ButtonLink
            to="/agents/$wallet/hire"
            params={{ wallet: job.agent.walletAddress }}
            search={{ again: job.id }}
          >
            Hire again
          </ButtonLink>
        )}
        {isOnlooker && isAdmin && job.dispute && (
          <ButtonLink to="/admin/disputes/$jobId" params={{ jobId: job.id }} look="primary">
            Open in the console
          </ButtonLink>
        )}
        <JobStory jobId={job.id} />
      </Card>
      <Card>
        <JobMoney job={job} sides={sides} />
      </Card>
      <LiveRegion text={`${title}. ${text}`} />
      {move && (
        <Suspense>
          <MoveForm move={move} job={job} sides={sides} onClose={() => setMove(undefined)} />
        </Suspense>
      )}
    </aside>
  )
}
