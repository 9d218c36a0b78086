import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainEventOf, EscrowRole } from '../../ports/chain/port.ts'
import type { Alert } from '../audit/alert.ts'
import type { Recorder } from '../following/recorder.ts'

type Change = ChainEventOf<'RoleChanged'>

const consequences: Record<EscrowRole, string> = {
  treasury: 'Fees and sweeps go to the new one',
  operator: 'Nothing is sent unless it is our key',
  arbiter: 'Rulings are refused until the service is started again',
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
    message: string,
    { role, previous, current, transactionHash }: Change,
  ) => tx.afterCommit(() => void alert(message, { role, previous, current, transactionHash }))

  onEvent(
    'RoleChanged',
    async (tx, event) => {
      const { role, current } = event
      if (role === 'treasury') await watch(tx, current)
      if (!isFirst(event)) alertAdmins(tx, `The escrow has another ${role}. ${consequences[role]}.`, event)
    },
    // A treasury that a fork took back stays watched: a wallet under its own account disturbs no other.
    async (tx, event) => {
      if (!isFirst(event)) alertAdmins(tx, `A fork took back a change of the escrow's ${event.role}.`, event)
    },
  )
}
