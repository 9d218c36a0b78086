import { type JobDetail, type Refund, railOf } from '@agent-marketplace/contract'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { MoneyFlow } from '../../components/money/MoneyFlow.tsx'
import { Badge, StatusBadge } from '../../components/status/StatusBadge.tsx'
import { isChainBehind } from './chain-lag.ts'
import { ShareSplit } from './moves/dialogs/ShareSplit.tsx'
import type { Side } from './sides.ts'

interface MoneyProps {
  job: JobDetail
  sides: readonly Side[]
}

/** What is paid, what is kept, what arrives, and where the money is now. The timeline has the proofs. */
export function JobMoney({ job, sides }: MoneyProps) {
  const isPaid = job.timeline.some(({ type }) => type === 'JOB_FUNDED')
  return (
    <section aria-label="Money" className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-16 font-semibold">Money</h2>
        {job.escrowState ? (
          <StatusBadge kind="escrow" status={job.escrowState} />
        ) : (
          <DirectPayment isPaid={isPaid} refund={job.refund} />
        )}
      </div>
      <Amounts job={job} sides={sides} isPaid={isPaid} />
      {isChainBehind(job) && (
        <p role="status" className="text-14 text-ink-muted">
          The escrow is following. This takes a few seconds.
        </p>
      )}
      {isPaid && (
        <ButtonLink to="/jobs/$jobId/receipt" params={{ jobId: job.id }} size="small">
          Receipt
        </ButtonLink>
      )}
    </section>
  )
}

function DirectPayment({ isPaid, refund }: { isPaid: boolean; refund: Refund | null }) {
  if (refund?.status === 'CONFIRMED') return <Badge tone="cancelled">Refunded</Badge>
  return <Badge tone={isPaid ? 'done' : 'pending'}>{isPaid ? 'Paid to the agent' : 'Not paid'}</Badge>
}

/** How the price is divided: as agreed, as decided in a dispute, or not at all. */
function Amounts({ job, sides, isPaid }: MoneyProps & { isPaid: boolean }) {
  const decidedBps = job.dispute?.sellerBps ?? null
  if (decidedBps !== null) return <ShareSplit job={job} sides={sides} sellerBps={decidedBps} />
  if (job.status === 'CANCELLED' && !isPaid)
    return <p className="text-14 text-ink-muted">Nothing was paid.</p>
  if (job.status === 'CANCELLED' && (railOf(job.paymentMethod).holdsMoney || job.refund)) {
    return <ShareSplit job={job} sides={sides} sellerBps={0} />
  }
  return (
    <MoneyFlow
      priceMicro={job.agreedPrice}
      feeMicro={job.platformFee}
      netMicro={job.netAmount}
      viewer={sides.includes('CLIENT') ? 'buyer' : sides.includes('SELLER') ? 'seller' : 'onlooker'}
      agentName={job.agent.name}
      stage={stageOf(job, isPaid)}
    />
  )
}

/** An escrow has paid out when the chain says so; a direct payment arrives with itself. */
function stageOf(job: JobDetail, isPaid: boolean): 'ahead' | 'paid' | 'arrived' {
  if (!isPaid) return 'ahead'
  const hasArrived = job.escrowState === null || job.escrowState === 'RELEASED'
  return hasArrived ? 'arrived' : 'paid'
}
