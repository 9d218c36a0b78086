import { type JobDetail, MAX_CHANGE_REQUESTS, railOf } from '@agent-marketplace/contract'
import { usdcText } from '../../../format/money.ts'
import { splitShare } from '../../../format/split-share.ts'
import type { Side } from '../sides.ts'
import type { Move } from './place-moves.ts'

const usdc = (micro: string | bigint): string => `${usdcText(BigInt(micro))} USDC`

/** A move as a button says it: a verb, and the amount where money moves. */
export function moveLabel(move: Move, job: JobDetail, sides: readonly Side[]): string {
  switch (move) {
    case 'ACCEPT':
      return 'Accept the order'
    case 'PAY':
      return `Pay ${usdc(job.agreedPrice)}`
    case 'REPORT_DEPOSIT':
      return 'I deposited it myself'
    case 'DELIVER':
      return 'Deliver the work'
    case 'APPROVE':
      return `Approve and release ${usdc(job.netAmount)}`
    case 'REQUEST_CHANGES':
      return `Request changes (${MAX_CHANGE_REQUESTS - job.changeRequestsLeft} of ${MAX_CHANGE_REQUESTS} used)`
    case 'CANCEL': {
      const isRefunded = job.status === 'IN_PROGRESS' && railOf(job.paymentMethod).holdsMoney
      return isRefunded ? `Cancel and get ${usdc(job.agreedPrice)} back` : 'Cancel the job'
    }
    case 'DECLINE':
      return 'Decline the job'
    case 'REFUND':
      return `Return ${usdc(job.agreedPrice)}`
    case 'DISPUTE':
      return 'Open a dispute'
    case 'ACCEPT_SETTLEMENT':
      return acceptLabel(job, sides)
    case 'OFFER_SETTLEMENT':
      return job.dispute?.settlement ? 'Make another offer' : 'Offer a settlement'
    case 'ADD_EVIDENCE':
      return 'Add evidence'
    case 'REVIEW':
      return job.status === 'COMPLETED' ? 'Review the work' : 'Review: paid, not delivered'
    case 'REPLY_TO_REVIEW':
      return 'Reply to the review'
  }
}

function acceptLabel({ dispute, agreedPrice }: JobDetail, sides: readonly Side[]): string {
  const { sellerMicro, refundMicro } = splitShare(BigInt(agreedPrice), dispute?.settlement?.sellerBps ?? 0)
  if (sides.length !== 1) return 'Accept the offer'
  return sides[0] === 'CLIENT' ? `Accept and get ${usdc(refundMicro)} back` : `Accept ${usdc(sellerMicro)}`
}
