import type { TimelineType, Withdrawal } from '@agent-marketplace/contract'
import { isMarketplaceError, type JobDetail, type MarketplaceClient } from '@agent-marketplace/sdk'
import { lookAtPermission, readPermissionLogs } from './permission.ts'
import { readFinalBlock, readReceipt } from './rpc.ts'
import type { Evidence, Transaction, TxKind } from './story.ts'

interface LookDeps {
  client: MarketplaceClient
  rpcUrl: string
  /** The contract through which plans are pulled. */
  permissionManager: string
  signal: AbortSignal
}

/** Where a transaction stands now: by its receipt once its hash is known, by what it belongs to until then. */
export async function look(transaction: Transaction, deps: LookDeps): Promise<Evidence> {
  if (transaction.txHash !== undefined) return lookAtChain(transaction.txHash, deps)
  if (transaction.withdrawalId !== undefined) {
    return lookAtWithdrawal(
      await deps.client.getWithdrawal(transaction.withdrawalId, { signal: deps.signal }),
    )
  }
  if (transaction.permission !== undefined) {
    const { rpcUrl, permissionManager, signal } = deps
    return lookAtPermission(
      await readPermissionLogs(rpcUrl, permissionManager, transaction.permission, signal),
    )
  }
  if (transaction.kind === 'fee') {
    const { kycFeePaid } = await deps.client.getMe({ signal: deps.signal })
    return { state: kycFeePaid ? 'final' : 'signed' }
  }
  if (transaction.jobId === undefined) return { state: 'signed' }
  return lookAtJob(transaction, await deps.client.getJob(transaction.jobId, { signal: deps.signal }))
}

async function lookAtChain(txHash: string, { rpcUrl, signal }: LookDeps): Promise<Evidence> {
  const receipt = await readReceipt(rpcUrl, txHash, signal)
  if (!receipt) return { state: 'sent' }
  if (!receipt.hasSucceeded) {
    return { state: 'failed', failure: 'The chain rejected the transaction. No money has moved.' }
  }
  const isFinal = receipt.blockNumber <= (await readFinalBlock(rpcUrl, signal))
  return { state: isFinal ? 'final' : 'confirmed' }
}

/** The service sends it by itself and says how far it is. */
export function lookAtWithdrawal({ status, txHash, failureReason }: Withdrawal): Evidence {
  if (status === 'FAILED') {
    return { state: 'failed', failure: failureReason ?? 'It failed. Nothing has left the wallet.' }
  }
  return txHash === null ? { state: 'signed' } : { state: 'sent', txHash }
}

/** How the timeline calls what each kind does on chain. */
const eventsOf: Partial<Record<TxKind, readonly TimelineType[]>> = {
  payment: ['JOB_FUNDED'],
  delivery: ['ESCROW_SUBMITTED'],
  changes: ['ESCROW_CHANGES_REQUESTED'],
  release: ['ESCROW_RELEASED'],
  refund: ['ESCROW_REFUNDED', 'ESCROW_EXPIRED'],
  dispute: ['ESCROW_DISPUTED'],
  settlement: ['ESCROW_SETTLED'],
  ruling: ['ESCROW_RULED'],
}

const refusals: readonly TimelineType[] = ['PAYMENT_REFUSED', 'ESCROW_REFUSED']

/** The timeline names the transaction as soon as the service knows it. */
export function lookAtJob(
  { kind, seenEvents = 0 }: Pick<Transaction, 'kind' | 'seenEvents'>,
  { status, timeline }: Pick<JobDetail, 'status' | 'timeline'>,
): Evidence {
  const news = timeline.slice(seenEvents)
  const done = news.find(({ type, txHash }) => eventsOf[kind]?.includes(type) && txHash !== null)
  if (done?.txHash) return { state: 'sent', txHash: done.txHash }
  const refused = news.find(({ type }) => refusals.includes(type))
  if (refused)
    return { state: 'failed', failure: refused.message ?? 'The chain rejected it. No money has moved.' }
  if (kind === 'payment' && status === 'CANCELLED') {
    return {
      state: 'failed',
      failure: 'The job was cancelled before the payment arrived. No money has moved.',
    }
  }
  return { state: 'sent' }
}

/** A job that this wallet cannot see any more has no story left to follow. */
export const isGone = (error: unknown): boolean => isMarketplaceError(error, 'NOT_FOUND', 'UNAUTHORIZED')
