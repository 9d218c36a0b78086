import { wasSigned } from '../../../money/sending/transaction-store.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { intentKeyOf } from '../rules.ts'
import type { WithdrawalRow } from '../store.ts'

/** Whether bytes of any of its attempts may be known to others, who could send them as long as the signature is valid. */
export function mayBeCarried(db: Queryable, { id, attempts }: WithdrawalRow): Promise<boolean> {
  return wasSigned(
    db,
    Array.from({ length: attempts }, (_, index) => intentKeyOf(id, index + 1)),
  )
}
