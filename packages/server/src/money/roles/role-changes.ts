import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainEventOf, EscrowRole } from '../../ports/chain/port.ts'
import type { Alert, AlertName } from '../audit/alert.ts'
import type { Recorder } from '../following/recorder.ts'

type Change = ChainEventOf<'RoleChanged'>

const alertOf: Record<EscrowRole, AlertName> = {
  treasury: 'TREASURY_CHANGED',
  operator: 'OPERATOR_CHANGED',
  arbiter: 'ARBITER_CHANGED',
}

/** The escrow's constructor names the first holders: they replace nobody. */
export const isFirst = ({ previous }: Pick<Change, 'previous'>): boolean => BigInt(previous) === 0n

/** Takes up a new treasury and alarms about every change: each of them is a decision of people, or a theft. */
export function followRoleChanges({
  onEvent,
  alert,
  watch,
}: Pick<Recorder, 'onEvent'> & {
  alert: Alert
  watch: (tx: Transaction, address: string) => Promise<void>
}): void {
  const alertAdmins = (
    tx: Transaction,
    name: AlertName,
    { role, previous, current, transactionHash }: Change,
  ) => tx.afterCommit(() => void alert(name, { role, previous, current, transactionHash }))

  onEvent(
    'RoleChanged',
    async (tx, event) => {
      const { role, current } = event
      if (role === 'treasury') await watch(tx, current)
      if (!isFirst(event)) alertAdmins(tx, alertOf[role], event)
    },
    // A treasury that a fork took back stays watched: a wallet under its own account disturbs no other.
    async (tx, event) => {
      if (!isFirst(event)) alertAdmins(tx, 'ROLE_CHANGE_UNDONE', event)
    },
  )
}
