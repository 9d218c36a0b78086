import { escrowRail, splitPrice } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { readGraph } from '../graph/neighbourhood.ts'
import type { AgentBooks, KnownBuyer } from './assess.ts'
import { type JobFacts, listBuyers, listPaidJobs } from './books-store.ts'
import { listPayments, type PaymentFacts } from './payments-store.ts'

const DAY_MS = 24 * 3600 * 1000
const daysBetween = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime()) / DAY_MS

export interface AgentFacts extends AgentBooks {
  rows: readonly JobFacts[]
  reported: readonly PaymentFacts[]
  funders: readonly string[]
}

/** Everything that the score of an agent is made of, as of now. */
export async function readBooks(
  db: Queryable,
  { agentId, sellerId }: { agentId: string; sellerId: string },
  now: Date,
): Promise<AgentFacts> {
  const rows = await listPaidJobs(db, agentId)
  const clientIds = [...new Set(rows.map(({ clientId }) => clientId))]
  const payments = rows.flatMap((row) =>
    row.counts && row.paidAt !== null ? [{ ...row, paidAt: row.paidAt }] : [],
  )
  const reported = await listPayments(db, agentId)
  const graph = await readGraph(db, sellerId, [
    ...payments,
    ...reported.map(({ paymentId, payer, payerWallet, amountMicro, paidAt }) => ({
      jobId: paymentId,
      clientId: payer,
      payerWallet,
      priceMicro: amountMicro,
      paidAt,
    })),
  ])
  const buyers = await listBuyers(db, clientIds, sellerId)
  const jobs = rows.map((row) => ({
    id: row.jobId,
    buyer: row.clientId,
    parties: [...new Set([row.clientId, graph.partyOf(row.payerWallet)])],
    priceMicro: row.priceMicro,
    feeMicro: row.isEscrow ? splitPrice(row.grossMicro, escrowRail.method).feeMicro : 0n,
    isOwn: !row.counts && !row.isTooSmall,
    isPaidOut: row.isPaidOut,
    isReturned: graph.returned.has(row.jobId),
    isDisproven: row.isDisproven,
    review:
      row.reviewId === null || row.rating === null || row.reviewedAt === null
        ? null
        : { id: row.reviewId, rating: row.rating, ageDays: daysBetween(row.reviewedAt, now) },
  }))
  const outside = reported.map(({ paymentId, payer, amountMicro }) => ({
    id: paymentId,
    buyer: payer,
    parties: [payer],
    priceMicro: amountMicro,
    feeMicro: 0n,
    isOwn: false,
    isPaidOut: true,
    isReturned: graph.returned.has(paymentId),
    isDisproven: false,
    review: null,
  }))
  const known = new Map(
    buyers.map(({ clientId, isVerified, firstPaidAt, otherSellers }): [string, KnownBuyer] => [
      clientId,
      { isVerified, otherSellers, ageDays: daysBetween(firstPaidAt, now) },
    ]),
  )
  return {
    seller: sellerId,
    rows,
    reported,
    jobs: [...jobs, ...outside],
    buyers: known,
    flows: graph.flows,
    funders: graph.funders,
    isPublic: graph.isPublic,
  }
}
