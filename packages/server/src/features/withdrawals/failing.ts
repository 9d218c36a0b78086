import { saveSpendStatus } from '../../money/limits/guardrails.ts'
import { wasSigned } from '../../money/sending/transaction-store.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import { failedNotice } from './notices.ts'
import { failureInWords, intentKeyOf } from './rules.ts'
import { saveFailed, type WithdrawalRow } from './store.ts'

/** Nothing has moved and nothing can any more: the amount is free again, and the owner knows why. */
export async function failWithdrawal(
  tx: Transaction,
  notify: Notify,
  { withdrawal, reason }: { withdrawal: WithdrawalRow; reason: string },
): Promise<void> {
  const { id, owner_id: ownerId, amount_micro: amountMicro } = withdrawal
  const failureReason = failureInWords(reason)
  await saveFailed(tx, id, failureReason)
  await saveSpendStatus(tx, id, 'RELEASED')
  await notify(tx, failedNotice({ ownerId, amountMicro, failureReason }))
}

/** Whether bytes of any of its attempts may be known to others, who could send them as long as the signature is valid. */
export function mayBeCarried(db: Queryable, { id, attempts }: WithdrawalRow): Promise<boolean> {
  return wasSigned(
    db,
    Array.from({ length: attempts }, (_, index) => intentKeyOf(id, index + 1)),
  )
}
