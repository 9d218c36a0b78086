import { AppError } from '@agent-marketplace/contract'
import type { OwnerRow } from '../../house/owner-record.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import type { Actor, Audit } from './audit.ts'
import { countOwners, listOwners, lockOwnerRow, type OwnersPage, saveAccountStatus } from './owners-store.ts'
import { type AccountDecision, accountMoves, checkAccountMove, checkNotSelf } from './rules.ts'

export interface AdminOwnersDeps {
  db: Database
  audit: Audit
  notify: Notify
  /** Sessions are cached together with what their owner may do. */
  forgetOwner: (ownerId: string) => void
}

export interface Decision {
  actor: Actor
  subjectId: string
  reason: string
}

/** Accounts: a decision is stored, sent to the owner, logged, and effective for the next request. */
export function createAdminOwners({ db, audit, notify, forgetOwner }: AdminOwnersDeps) {
  const move =
    (decision: AccountDecision) =>
    async (tx: Transaction, { actor, subjectId, reason }: Decision): Promise<OwnerRow> => {
      const { to, action, notice } = accountMoves[decision]
      checkNotSelf(actor.ownerId, subjectId)
      const owner = await lockOwnerRow(tx, subjectId)
      if (!owner) throw new AppError('NOT_FOUND', { message: 'There is no such owner.' })
      checkAccountMove(owner.accountStatus, decision)
      const changed = await saveAccountStatus(tx, subjectId, to)
      await audit.record(tx, actor, {
        action,
        subjectType: 'owner',
        subjectId,
        before: { accountStatus: owner.accountStatus },
        after: { accountStatus: to },
        reason,
      })
      const message = `${notice.message} The reason: ${reason}`
      await notify(tx, { ...notice, message, ownerId: subjectId, link: '/sell/verify' })
      tx.afterCommit(() => forgetOwner(subjectId))
      return changed
    }

  return {
    async list(page: OwnersPage): Promise<{ rows: OwnerRow[]; total: number }> {
      const [rows, total] = await Promise.all([listOwners(db, page), countOwners(db, page)])
      return { rows, total }
    },
    suspend: move('suspend'),
    reinstate: move('reinstate'),
    deactivate: move('deactivate'),
  }
}
