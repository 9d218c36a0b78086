import { isFirst } from '../../money/roles/role-changes.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { ChainEventOf } from '../../ports/chain/port.ts'
import type { Audit } from './audit.ts'

type Change = ChainEventOf<'RoleChanged'>

/** Who may act for the platform on the chain is part of the audit log, no matter who decided it. */
export function createRoleAudit(audit: Pick<Audit, 'record'>) {
  const record = async (tx: Queryable, action: string, event: Change, from: string, to: string) => {
    if (isFirst(event)) return
    await audit.record(tx, 'service', {
      action,
      subjectType: 'role',
      subjectId: event.role,
      before: { holder: from },
      after: { holder: to, txHash: event.transactionHash },
    })
  }
  return {
    changed: (tx: Queryable, event: Change) =>
      record(tx, 'role.changed', event, event.previous, event.current),
    takenBack: (tx: Queryable, event: Change) =>
      record(tx, 'role.restored', event, event.current, event.previous),
  }
}
