import { type JobDetail, MAX_CHANGE_REQUESTS } from '@agent-marketplace/contract'
import { usdcText } from '../../format/money.ts'
import { splitShare } from '../../format/split-share.ts'
import type { Move } from './moves.ts'
import type { Side } from './sides.ts'

const usdc = (micro: string | bigint): string => `${usdcText(BigInt(micro))} USDC`

/** A move as a button says it: a verb, and the amount where money moves. */
export function moveLabel(move: Move, job: JobDetail, sides: readonly Side[]): string {
  switch (move) {
    case 'pay':
      return `Pay ${usdc(job.agreedPrice)}`
    case 'reportDeposit':
      return 'I deposited it myself'
    case 'deliver':
      return 'Deliver the work'
    case 'approve':
      return `Approve and release ${usdc(job.netAmount)}`
    case 'requestChanges':
      return `Request changes (${MAX_CHANGE_REQUESTS - job.changeRequestsLeft} of ${MAX_CHANGE_REQUESTS} used)`
    case 'cancel': {
      const isRefunded = job.status === 'IN_PROGRESS' && job.paymentMethod === 'ESCROW'
      return isRefunded ? `Cancel and get ${usdc(job.agreedPrice)} back` : 'Cancel the job'
    }
    case 'decline':
      return 'Decline the job'
    case 'refund':
      return `Return ${usdc(job.agreedPrice)}`
    case 'dispute':
      return 'Open a dispute'
    case 'acceptSettlement':
      return acceptLabel(job, sides)
    case 'offerSettlement':
      return job.dispute?.settlement ? 'Make another offer' : 'Offer a settlement'
    case 'addEvidence':
      return 'Add evidence'
    case 'review':
      return 'Review the work'
    case 'reply':
      return 'Reply to the review'
  }
}

function acceptLabel({ dispute, agreedPrice }: JobDetail, sides: readonly Side[]): string {
  const { sellerMicro, refundMicro } = splitShare(BigInt(agreedPrice), dispute?.settlement?.sellerBps ?? 0)
  if (sides.length !== 1) return 'Accept the offer'
  return sides[0] === 'CLIENT' ? `Accept and get ${usdc(refundMicro)} back` : `Accept ${usdc(sellerMicro)}`
}
