import type { KycStatus } from '@agent-marketplace/contract'
import type { OwnerRow } from '../../house/owner-record.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import { noticeOf } from './rules.ts'
import { saveKycStatus } from './store.ts'

export interface KycStatusDeps {
  /** Adds to the owner's feed, in the transaction that causes it. */
  notify: Notify
  /** Who is signed in is cached together with what they may do. */
  forgetOwner: (ownerId: string) => void
}

/** The one way a verification status changes: stored, sent to the owner, and removed from cached sessions. */
export async function changeKycStatus(
  tx: Transaction,
  deps: KycStatusDeps,
  owner: OwnerRow,
  change: { to: KycStatus; reason?: string | undefined },
): Promise<OwnerRow> {
  if (owner.kycStatus === change.to) return owner
  const changed = await saveKycStatus(tx, owner.id, change.to)
  await deps.notify(tx, { ownerId: owner.id, ...noticeOf(change.to, change.reason), link: '/sell/verify' })
  tx.afterCommit(() => deps.forgetOwner(owner.id))
  return changed
}
