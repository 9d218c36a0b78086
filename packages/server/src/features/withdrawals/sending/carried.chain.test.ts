import { encodeFunctionData, multicall3Abi } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import { startWithdrawals } from '../testing/start-withdrawals.ts'

/** Someone who sees the signed bytes of a withdrawal sends them from a wallet of their own. */
let api: Awaited<ReturnType<typeof startWithdrawals>>
beforeAll(async () => {
  api = await startWithdrawals()
})
afterAll(async () => {
  await api.close()
})
beforeEach(() => {
  api.alarms.length = 0
})

const HOLDING = 5_000_000n

async function order() {
  const seller = await api.newSeller(HOLDING)
  await api.engine.runUntilIdle()
  const response = await api.withdraw(seller.headers, seller.agent.id, HOLDING)
  return { ...seller, id: response.json().data.id as string }
}

/** Our own broadcast is lost, and someone sees its bytes. */
async function seeBytes(id: string) {
  api.chaos.setWeather('forgotten')
  await api.engine.runOnce()
  api.chaos.setWeather('fair')
  return bytesOf(id)
}

async function bytesOf(id: string) {
  const call = await api.db.one<{ to: Hex; data: Hex }>(sql`
    select t.call_to as "to", t.call_data as data from chain_transactions t join intents i on i.id = t.intent_id
    where i.key like ${`withdrawal:${id}:%`} and t.status = 'OPEN'`)
  return { ...call, value: 0n }
}

const hashOf = async (id: string): Promise<string> =>
  (
    await api.db.one<{ hash: string }>(
      sql`select e.tx_hash as hash from journal_entries e join intents i on i.id = e.intent_id
        where i.key like ${`withdrawal:${id}:%`} and e.kind = 'withdrawal' order by e.seq desc limit 1`,
    )
  ).hash

test('it has moved all the same: confirmed, once, with the transaction that carried it', async () => {
  const { id, headers, ownerId, agent, address } = await order()
  await api.execute(api.bank, await seeBytes(id))
  await api.engine.runUntilIdle()
  const { status, txHash } = await api.read(headers, id)
  expect([status, txHash]).toEqual(['CONFIRMED', await hashOf(id)])
  expect(await api.balanceOf(address)).toBe(HOLDING)
  expect((await api.notificationsOf(ownerId)).map(({ type }) => type)).toEqual([
    'WITHDRAWAL_REQUESTED',
    'WITHDRAWAL_CONFIRMED',
  ])
  expect(api.alarms).toEqual([])
  expect(await api.breaches()).toEqual([])
  expect((await api.withdraw(headers, agent.id, 1n)).statusCode).toBe(422)
})

test('a fork that takes it back opens it again; it goes out again and is confirmed once', async () => {
  const { id, headers, address } = await order()
  await api.execute(api.bank, await seeBytes(id))
  await api.engine.runUntilIdle()
  const first = await api.read(headers, id)
  const depth = 2
  await api.chaos.reorganise(depth, () => false)
  await api.engine.runUntilIdle()
  const second = await api.read(headers, id)
  expect(second.status).toBe('CONFIRMED')
  expect(second.txHash).not.toBe(first.txHash)
  expect(await api.balanceOf(address)).toBe(HOLDING)
  expect(await api.breaches()).toEqual([])
})

test('two of the same amount, carried in one transaction, are each confirmed by their own transfer', async () => {
  const { headers, address, agent } = await api.newSeller(HOLDING)
  await api.engine.runUntilIdle()
  const half = HOLDING / 2n
  const responses = [1, 2].map(() => api.withdraw(headers, agent.id, half))
  const ids = (await Promise.all(responses)).map((response) => response.json().data.id as string)
  api.chaos.setWeather('forgotten')
  await api.engine.runOnce()
  api.chaos.setWeather('fair')
  const calls = await Promise.all(ids.map(bytesOf))
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data: callData }) => ({ target: to, allowFailure: false, callData }))],
  })
  await api.execute(api.bank, { to: api.chaos.addresses.multicall3, data, value: 0n })
  await api.engine.runUntilIdle()
  for (const id of ids) expect((await api.read(headers, id)).status).toBe('CONFIRMED')
  expect(await api.balanceOf(address)).toBe(HOLDING)
  expect(await api.breaches()).toEqual([])
})

/** Our own transaction is mined and reverts: its signature is on the chain for everyone to read. */
async function revertOwn(id: string) {
  await expect((await api.startDoomed('transaction.stored')).runUntilIdle()).rejects.toThrow('crashed')
  const bytes = await bytesOf(id)
  await api.issuer({ functionName: 'pause' })
  await api.engine.runUntilIdle()
  await api.issuer({ functionName: 'unpause' })
  return bytes
}

test('one that reverted is not failed yet: a stranger sends it, and it is confirmed', async () => {
  const { id, headers, address, agent } = await order()
  const bytes = await revertOwn(id)
  await api.followUp()
  expect((await api.read(headers, id)).status).toBe('SUBMITTED')
  await api.execute(api.bank, bytes)
  await api.engine.runUntilIdle()
  await api.followUp()
  expect((await api.read(headers, id)).status).toBe('CONFIRMED')
  expect(await api.balanceOf(address)).toBe(HOLDING)
  expect((await api.withdraw(headers, agent.id, 1n)).statusCode).toBe(422)
  expect(await api.breaches()).toEqual([])
})

test('one that was called failed all the same is confirmed when the chain shows it', async () => {
  const { id, headers, address } = await order()
  const bytes = await revertOwn(id)
  // As an earlier release left them behind: failed, free again, and the signature still valid.
  await api.db.run(
    sql`update withdrawals set outcome = 'FAILED', failure_reason = 'too early' where id = ${id}`,
  )
  await api.db.run(sql`update agent_spends set status = 'RELEASED' where id = ${id}`)
  await api.execute(api.bank, bytes)
  await api.engine.runUntilIdle()
  expect(await api.read(headers, id)).toMatchObject({ status: 'CONFIRMED', failureReason: null })
  expect(await api.balanceOf(address)).toBe(HOLDING)
  expect(await api.breaches()).toEqual([])
})

test('a withdrawal that cannot be followed up is tried less and less often', async () => {
  const { id, headers } = await order()
  const bytes = await revertOwn(id)
  const pointTo = (to: string) =>
    api.db.run(sql`
      update intents set payload = jsonb_set(payload, '{withdrawalId}', to_jsonb(${to}::text)) where key like ${`withdrawal:${id}:%`}`)
  await pointTo('unknown')
  const failed: number[] = []
  for (let turn = 1; turn <= 16; turn += 1) await api.followUp().catch(() => failed.push(turn))
  expect(failed).toEqual([1, 2, 4, 8, 16])
  await pointTo(id)
  await api.execute(api.bank, bytes)
  await api.engine.runUntilIdle()
  for (let turn = 1; turn <= 16; turn += 1) await api.followUp()
  expect((await api.read(headers, id)).status).toBe('CONFIRMED')
  expect(await api.breaches()).toEqual([])
})

// The last one: it leaves a gap among the operator's nonces.
test('refused before the indexer has come to that block, it waits, and is confirmed when it has', async () => {
  const { id, headers, address } = await order()
  const bytes = await seeBytes(id)
  const { getBlock } = api.chaos.chain.reader
  const before = await getBlock('latest')
  await api.execute(api.bank, bytes)
  // The attempt is refused at its trial already; nothing of ours is mined that could lead to the block.
  await api.db.run(sql`
    with void as (update chain_transactions t set status = 'VOID' from intents i
      where i.id = t.intent_id and i.key like ${`withdrawal:${id}:%`} and t.status = 'OPEN' returning i.id)
    update intents set status = 'PENDING', claimed_until = null from void where intents.id = void.id`)
  api.chaos.chain.reader.getBlock = async (which) => (which === 'latest' ? before : getBlock(which))
  await api.engine.runOnce()
  expect((await api.read(headers, id)).status).toBe('SUBMITTED')
  expect(api.alarms).toHaveLength(1)
  await api.followUp()
  expect((await api.read(headers, id)).status).toBe('SUBMITTED')

  api.chaos.chain.reader.getBlock = getBlock
  await api.engine.runUntilIdle()
  await api.followUp()
  expect((await api.read(headers, id)).status).toBe('CONFIRMED')
  expect(await api.balanceOf(address)).toBe(HOLDING)
  expect(await api.breaches()).toEqual([])
})
