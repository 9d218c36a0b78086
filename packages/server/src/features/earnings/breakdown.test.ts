import { expect, test } from 'vitest'
import { walletAccount } from '../../money/books/accounts.ts'
import { groupEarnings } from './breakdown.ts'
import type { GroupRow } from './store.ts'

test('groups of equal sums are in one order, however the database returns them', () => {
  const agents = new Map(
    [1, 2].map((id) => [walletAccount(`0x${id}`), { id: `c${id}`, name: 'Ledger Lark' }]),
  )
  const rows = [...agents.keys()].flatMap((account): GroupRow[] => {
    const row = { account, serviceName: null, count: 1n, netMicro: 5n, feeMicro: 0n }
    return [
      { ...row, serviceId: null, hasJob: false },
      { ...row, serviceId: 's2', hasJob: true },
      { ...row, serviceId: null, hasJob: true },
      { ...row, serviceId: 's1', hasJob: true },
    ]
  })
  const orderOf = (given: readonly GroupRow[]) =>
    groupEarnings(given, 'service', (account) => agents.get(account as GroupRow['account'])).map(
      ({ agentId, kind, serviceId }) => [agentId, kind, serviceId],
    )
  const order = orderOf(rows)
  expect(order).toHaveLength(8)
  expect(orderOf(rows.toReversed())).toEqual(order)
})
