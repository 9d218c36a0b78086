import type { Account } from '../../../money/books/accounts.ts'
import { type JournalPlace, postEntry } from '../../../money/books/journal.ts'
import { saveSpendStatus } from '../../../money/limits/guardrails.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notify } from '../../../platform/notices/notice.ts'
import { confirmedNotice, failedNotice } from '../notices.ts'
import { failureInWords } from '../rules.ts'
import { saveFailed, saveOpenAgain, type WithdrawalRow } from '../store.ts'

/** What becomes of a job whose money goes back. Each is called in the transaction that writes the outcome down. */
export interface RefundOutcomes {
  confirmed(tx: Transaction, refund: { jobId: string; txHash: string }): Promise<void>
  failed(tx: Transaction, refund: { jobId: string; failureReason: string }): Promise<void>
  /** A fork took the transfer back; it is sent again. */
  reopened(tx: Transaction, refund: { jobId: string }): Promise<void>
}

export interface OutcomeDeps {
  accountOf: (address: string) => Account
  notify: Notify
  refunds: RefundOutcomes
}

export interface Moved {
  from: string
  to: string
  place: JournalPlace
  at: Date
  intentId: string
  requestId?: string | undefined
}

/** The transfer is on the chain: the books, what was set aside, and those who wait for it follow. */
export async function writeMoved(
  tx: Transaction,
  { accountOf, notify, refunds }: OutcomeDeps,
  withdrawal: WithdrawalRow,
  { from, to, place, at, intentId, requestId }: Moved,
): Promise<void> {
  const { id, ownerId, agentId, amountMicro } = withdrawal
  const jobId = withdrawal.jobId ?? undefined
  await postEntry(tx, {
    kind: journalKindOf(withdrawal),
    at,
    postings: [
      { account: accountOf(from), amountMicro: -amountMicro },
      { account: accountOf(to), amountMicro },
    ],
    intentId,
    requestId,
    chain: place,
    reference: { jobId, agentId, ownerId },
  })
  await saveSpendStatus(tx, id, 'SPENT')
  if (jobId === undefined) await notify(tx, confirmedNotice({ ownerId, amountMicro }))
  else await refunds.confirmed(tx, { jobId, txHash: place.txHash })
}

/** Nothing has moved and nothing can any more: the amount is free again, and the owner knows why. */
export async function writeFailed(
  tx: Transaction,
  { notify, refunds }: OutcomeDeps,
  { id, jobId, ownerId, amountMicro }: WithdrawalRow,
  reason: string,
): Promise<void> {
  const failureReason = failureInWords(reason)
  await saveFailed(tx, id, failureReason)
  await saveSpendStatus(tx, id, 'RELEASED')
  if (jobId === null) await notify(tx, failedNotice({ ownerId, amountMicro, failureReason }))
  else await refunds.failed(tx, { jobId, failureReason })
}

export async function writeOpenAgain(
  tx: Transaction,
  { refunds }: OutcomeDeps,
  { id, jobId }: Pick<WithdrawalRow, 'id' | 'jobId'>,
): Promise<void> {
  await saveOpenAgain(tx, id)
  await saveSpendStatus(tx, id, 'RESERVED')
  if (jobId !== null) await refunds.reopened(tx, { jobId })
}

const REFUND_ENTRY = 'x402.refund'

const journalKindOf = ({ jobId }: WithdrawalRow): string => (jobId === null ? 'withdrawal' : REFUND_ENTRY)
