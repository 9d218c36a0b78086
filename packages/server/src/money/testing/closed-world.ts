import { sql } from '../../platform/db/sql.ts'
import type { Breach } from '../audit/invariants.ts'
import { walletAccount } from '../books/accounts.ts'
import { balanceOf } from '../books/journal.ts'
import type { MoneyEngine } from '../engine.ts'
import { orderReread, readReread } from '../following/reread-store.ts'
import { type MoneyWorld, testAccount } from './money-world-on.ts'

export const MINTED_MICRO = 20_000_000_000n

export const clients = [1, 2, 3].map(testAccount)
export const sellers = [11, 12].map(testAccount)
export const agents = [21, 22, 23].map(testAccount)
/** Someone who has no part in any job, and sends to agents and gets from them what nobody ordered. */
export const outsider = testAccount(31)
export const wallets = [...clients, ...sellers, ...agents, outsider]

/** What kept it from its rest: nothing. */
export const comeToRest = (engine: MoneyEngine): Promise<Record<string, unknown>[]> =>
  engine.runUntilIdle().then(
    () => [],
    (error: unknown) => [{ error: String(error) }],
  )

/** Does what `npm run money:reread` does, from the first block on. */
export async function rereadAll({ db, chaos }: MoneyWorld, engine: MoneyEngine): Promise<void> {
  const { chainId } = chaos.chain.facts
  const { id } = await orderReread(db, { chainId, fromBlock: 1n })
  while (!(await readReread(db, id)).isFinished) await engine.runOnce()
}

export const expireLeases = ({ db }: MoneyWorld): Promise<number> =>
  db.run(sql`update intents set claimed_until = now() - interval '1 second' where claimed_until is not null`)

export const openIntents = async ({ db }: MoneyWorld): Promise<number> => {
  const { open } = await db.one<{ open: number }>(
    sql`select count(*)::int as open from intents where status in ('PENDING', 'SUBMITTED')`,
  )
  return open
}

export async function statusesOf({ db }: MoneyWorld): Promise<Record<string, bigint>> {
  const rows = await db.rows<{ status: string; count: bigint }>(
    sql`select status, count(*) as count from intents group by status order by status`,
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

export async function snapshotOf(world: MoneyWorld): Promise<string> {
  const { cursor } = await world.db.one<{ cursor: string | null }>(
    sql`select max(block_number || ' ' || block_hash) as cursor from chain_cursors`,
  )
  const statuses = Object.entries(await statusesOf(world)).map(([status, count]) => `${status}=${count}`)
  return `${cursor ?? '-'} ${statuses.join(' ')}`
}

export const breachOf = (message: string, rows: Record<string, unknown>[]): Breach[] =>
  rows.length === 0
    ? []
    : [{ invariant: 'simulation', message, rows: rows.map((row) => ({ key: message, ...row })) }]

/** What only a closed world can check: every wallet's balance, every effect, and that running on changes nothing. */
export async function auditClosedWorld(
  world: MoneyWorld,
  engine: MoneyEngine,
  isAllWatched: boolean,
): Promise<Breach[]> {
  const { db, chaos } = world
  const breaches: Breach[] = []
  const expect = (message: string, rows: Record<string, unknown>[]): void => {
    breaches.push(...breachOf(message, rows))
  }
  const wrong: Record<string, unknown>[] = []
  for (const { address } of [...clients, ...sellers, ...agents]) {
    const onChain = await chaos.chain.usdc.balanceOf(address)
    // A wallet that is watched has all that it holds in the books; of the others only what this service moved.
    const isWatched = isAllWatched || agents.some((agent) => agent.address === address)
    const booked = (isWatched ? 0n : MINTED_MICRO) + (await balanceOf(db, walletAccount(address)))
    if (onChain !== booked) wrong.push({ address, onChain, booked })
  }
  expect('a wallet holds what the journal says', wrong)
  expect(
    'each intent has ended and took effect exactly once',
    await db.rows(sql`
      select i.key, i.status, i.reason, e.status as effect from intents i full join test_effects e on e.key = i.key
      where i.status is distinct from e.status and (i.kind is null or i.kind not like '%.fillNonce')`),
  )
  const before = { broadcasts: chaos.broadcasts(), state: await snapshotOf(world) }
  await comeToRest(engine)
  const after = { broadcasts: chaos.broadcasts(), state: await snapshotOf(world) }
  expect(
    'running on changes nothing',
    JSON.stringify(before) === JSON.stringify(after) ? [] : [{ before, after }],
  )
  return breaches
}
