import { listTestWallets } from '@agent-marketplace/chain/devnet'
import type { SandboxRole } from '@agent-marketplace/contract'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { sql } from './platform/db/sql.ts'
import {
  FIRST_RELEASE_SEED,
  startFirstRelease,
  startFirstReleaseChain,
} from './testing/first-release/start-first-release.ts'
import { signIn } from './testing/sign-in.ts'
import { startWorldOn } from './testing/world/start-world-on.ts'

const balances = sql`
  select account, sum(amount_micro)::text as "amountMicro" from journal_postings group by account order by account`
const jobs = sql`
  select id, status, decided_status, price_micro, fee_micro, net_micro from jobs order by id`
const withdrawals = sql`select id, intent_id, outcome, amount_micro from withdrawals order by id`

function walletOf(role: SandboxRole) {
  const wallet = listTestWallets(`0x${FIRST_RELEASE_SEED}`).find((known) => known.role === role)
  if (!wallet) throw new Error(`There is no test wallet ${role}`)
  return privateKeyToAccount(wallet.privateKey)
}

test('money that the first release has moved keeps every rule and every sum, and a job under way is paid out', async () => {
  const release = await startFirstRelease()
  const { db } = release
  await release.restoreRows()
  const read = () => Promise.all([balances, jobs, withdrawals].map((rows) => db.rows(rows)))
  const before = await read()
  await release.migrate()
  expect(await read()).toEqual(before)

  const chain = await startFirstReleaseChain()
  const world = await startWorldOn({ ...release, close: async () => undefined }, { chain })
  expect(await world.breaches()).toEqual([])
  expect(await read()).toEqual(before)

  const { bearer: seller, ownerId } = await signIn(world.http, walletOf('seller'))
  const { bearer: buyer } = await signIn(world.http, walletOf('buyer'))
  const { id } = await db.one<{ id: string }>(sql`
    select id from jobs where seller_id = ${ownerId} and status = 'IN_PROGRESS' and payment_method = 'ESCROW'`)
  const act = async (headers: Record<string, string>, name: string, payload?: object): Promise<void> => {
    const { statusCode } = await world.http.inject({
      method: 'POST',
      url: `/api/jobs/${id}/${name}`,
      headers,
      ...(payload && { payload }),
    })
    expect([name, statusCode]).toEqual([name, 200])
    await world.runUntilIdle()
  }
  await act(seller, 'deliver', { content: 'Done.' })
  await act(buyer, 'approve')
  const ended = await world.http.inject({ url: `/api/jobs/${id}`, headers: buyer })
  expect(ended.json().data.job).toMatchObject({ status: 'COMPLETED', escrowState: 'RELEASED' })
  expect(await world.breaches()).toEqual([])
  await world.close()
  await chain.close()
  await release.close()
})
