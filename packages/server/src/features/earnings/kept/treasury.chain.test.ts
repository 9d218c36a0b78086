import { deriveRoles } from '@agent-marketplace/chain/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '../../../money/audit/invariants.ts'
import { walletAccount } from '../../../money/books/accounts.ts'
import { acceptRole, proposeRole } from '../../../money/testing/role-calls.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import { earningsInvariants } from '../invariants.ts'
import { startEarnings } from '../testing/start-earnings.ts'

const { treasury: former, safeOwner1: successor } = deriveRoles(`0x${'11'.repeat(32)}`)

let api: Awaited<ReturnType<typeof startEarnings>>
beforeAll(async () => {
  api = await startEarnings()
})
afterAll(() => api.close())

test('what a wallet got beside sellers counts as fee once it is the treasury, also on days that are kept', async () => {
  const owner = await api.newOwner()
  const agent = await api.newAgent(owner)
  const feesOf = async () => (await api.get(owner.headers, '')).json().data.summary.totalFees
  const at = new Date(Date.UTC(2026, 10, 10))
  await api.closeJob(agent, { at, priceMicro: 150_000_000n, feeTo: walletAccount(successor.address) })
  await api.tick('earning-days')
  expect(await feesOf()).toBe('0')

  const escrow = api.chain.facts.contracts.escrow as Hex
  await api.execute(former, proposeRole(escrow, 'treasury', successor.address))
  await api.execute(successor, acceptRole(escrow, 'treasury'))
  await api.runUntilIdle()
  expect(await feesOf()).toBe('3000000')
  await api.tick('earning-days')
  expect(await feesOf()).toBe('3000000')
  expect(await checkInvariants({ db: api.db, chain: api.chain }, earningsInvariants)).toEqual([])

  // A wallet that was the treasury before makes nothing due, however much it has received since.
  for (const [holder, next] of [
    [successor, former],
    [former, successor],
  ] as const) {
    await api.execute(holder, proposeRole(escrow, 'treasury', next.address))
    await api.execute(next, acceptRole(escrow, 'treasury'))
  }
  await api.runUntilIdle()
  expect(await api.db.rows(sql`select from earning_days_due`)).toEqual([])
  expect(await feesOf()).toBe('3000000')
})
