import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { startWorld } from '../../../testing/start-world.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

test('agents that stay due, however many, do not stop the scores of others from ageing', async () => {
  const { db } = world
  const owner = await world.newOwner()
  const agent = await world.newAgent(owner)
  await db.transaction(async (tx) => {
    // Without triggers: these agents only have to be many.
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`
      insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key,
        skills, skill_keys, services, lowest_price_micro, x402_enabled, owner_active, search, created_at, score_weight, scored_at)
      select 'many' || n, ${owner.ownerId}, '0x' || lpad(to_hex(n), 40, '0'), n::text, 'Many', '', 'bulk', 'bulk', '{}',
        '{}', '[]', 0, true, true, '', now(), 1, to_timestamp(0)
      from generate_series(1, 10000) n`)
    await tx.run(
      sql`update agents set score_weight = 1, scored_at = to_timestamp(1000) where id = ${agent.id}`,
    )
    await tx.run(sql`insert into agent_scores_due (agent_id) select id from agents where id <> ${agent.id}`)
  })
  await world.tick('scores-ageing')
  const isDue = await db.maybeOne(sql`select 1 as due from agent_scores_due where agent_id = ${agent.id}`)
  expect(isDue).toBeDefined()
})
