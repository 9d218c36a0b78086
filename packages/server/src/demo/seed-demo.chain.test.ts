import { listTestWallets } from '@agent-marketplace/chain/devnet'
import { type JobStatus, jobStatuses } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { allInvariants } from '../invariants.ts'
import { checkInvariants } from '../money/audit/invariants.ts'
import { sql } from '../platform/db/sql.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import { printFigures, timesFor } from '../testing/proof.ts'
import { signIn } from './actor.ts'
import { planDemo } from './plan.ts'
import { seedDemo } from './seed-demo.ts'
import { DEMO_SPAN_SECONDS } from './span.ts'
import { CHAIN_SEED, startDemoParts } from './testing/start-demo-parts.ts'
import { castOf } from './wallets.ts'

const AGENTS = timesFor({ usual: 6, proof: 24 })
const plan = planDemo(AGENTS)

describe('a fresh sandbox', () => {
  let parts: Awaited<ReturnType<typeof startDemoParts>>
  const said: string[] = []
  const seed = () =>
    seedDemo(parts.deps, {
      chainSeed: CHAIN_SEED,
      agentCount: AGENTS,
      say: (line) => void said.push(line),
    })
  const countBy = async (statement: ReturnType<typeof sql>): Promise<Record<string, number>> => {
    const rows = await parts.deps.db.rows<{ name: string; count: number }>(statement)
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  }

  beforeAll(async () => {
    parts = await startDemoParts({ startSecondsAgo: DEMO_SPAN_SECONDS })
    expect(await seed(), said.join('\n')).toBe('made')
  })
  afterAll(() => parts.close())

  test('every job ended as the plan says, and every status is there', async () => {
    const planned: Partial<Record<JobStatus, number>> = {}
    for (const { endsAs } of plan.jobs) planned[endsAs] = (planned[endsAs] ?? 0) + 1
    const found = await countBy(sql`select status as name, count(*)::int as count from jobs group by status`)
    expect(found).toEqual(planned)
    expect(Object.keys(found).sort()).toEqual([...jobStatuses].sort())
  })

  test('every job is one of its agent’s services, so that it can be ordered again as it was', async () => {
    const found = await countBy(sql`
      select coalesce(service ->> 'name', 'none') as name, count(*)::int as count
      from jobs join agents on agents.id = jobs.agent_id
        left join jsonb_array_elements(agents.services) service on service ->> 'id' = jobs.service_id
      group by 1`)
    const planned: Record<string, number> = {}
    for (const { service } of plan.jobs) planned[service] = (planned[service] ?? 0) + 1
    expect(found).toEqual(planned)
  })

  test('most work is delivered on time, as buyers expect of what they are shown first', async () => {
    const found = await countBy(sql`
      select case when delivered.at <= jobs.due_at then 'on time' else 'late' end as name, count(*)::int as count
      from jobs join (select job_id, min(delivered_at) as at from job_deliveries group by job_id) delivered
        on delivered.job_id = jobs.id
      group by 1`)
    expect(found['on time']).toBeGreaterThan(4 * (found.late ?? 0))
  })

  test('both rails, with nothing rejected and nothing left undone', async () => {
    const rails = await countBy(
      sql`select payment_method as name, count(*)::int as count from jobs where status = 'COMPLETED' group by 1`,
    )
    expect(rails.X402).toBeGreaterThan(3)
    expect(rails.ESCROW).toBeGreaterThan(3)
    const intents = await countBy(sql`select status as name, count(*)::int as count from intents group by 1`)
    expect(Object.keys(intents)).toEqual(['SETTLED'])
  })

  test('all agents are listed, and what happened is spread over twelve weeks up to now', async () => {
    const { agents, weeks, newest } = await parts.deps.db.one<{
      agents: number
      weeks: number
      newest: Date
    }>(sql`
      select (select count(*)::int from agents where approval_status = 'APPROVED' and on_chain_agent_id is not null) as agents,
        (select count(distinct date_trunc('week', at))::int from journal_entries) as weeks,
        (select max(created_at) from jobs) as newest`)
    expect(agents).toBe(AGENTS)
    expect(weeks).toBeGreaterThanOrEqual(9)
    expect(Date.now() - newest.getTime()).toBeLessThan(86_400_000)
    expect(Math.abs(Date.now() - parts.deps.clock.now().getTime())).toBeLessThan(PATIENCE_MS)
  })

  test('the identity registry names the wallet of every agent', async () => {
    const { db, chain } = parts.deps
    const agents = await db.rows<{ wallet: string; token: bigint }>(
      sql`select lower(wallet_address) as wallet, on_chain_agent_id as token from agents order by id`,
    )
    const entries = await Promise.all(agents.map(({ token }) => chain.agentRegistry.entryOf(token)))
    expect(entries.map((entry) => entry?.wallet?.toLowerCase())).toEqual(agents.map(({ wallet }) => wallet))
  })

  test('reviews with replies, an open dispute with evidence and an offer, withdrawals that arrived', async () => {
    const { db } = parts.deps
    const reviews = await db.one<{ count: number; replied: number }>(
      sql`select count(*)::int as count, count(reply)::int as replied from reviews`,
    )
    expect(reviews.count).toBeGreaterThan(5)
    expect(reviews.replied).toBeGreaterThan(1)
    const withdrawn = await countBy(
      sql`select outcome as name, count(*)::int as count from withdrawals group by 1`,
    )
    expect(Object.keys(withdrawn)).toEqual(['CONFIRMED'])
    const evidence = await db.rows(
      sql`select 1 from job_evidence e join jobs j on j.id = e.job_id where j.status = 'DISPUTED'`,
    )
    expect(evidence).toHaveLength(2)
  })

  test('the console has a history: a ruling that was carried out, a flag that was resolved and one that waits', async () => {
    const decisions = await countBy(
      sql`select action as name, count(*)::int as count from audit_log group by 1`,
    )
    expect(decisions).toEqual({
      'ruling.proposed': 1,
      'ruling.confirmed': 2,
      'ruling.executed': 1,
      'aml_flag.resolved': 1,
    })
    const flags = await countBy(sql`
      select case when resolved_at is null then 'open' else 'resolved' end as name, count(*)::int as count
      from aml_flags group by 1`)
    expect(flags).toEqual({ open: 1, resolved: 1 })
  })

  test('the books hold', async () => {
    expect(await checkInvariants(parts.deps, allInvariants)).toEqual([])
  })

  test('every entry of the journal leads to its block, and one of ours by its request, intent and transaction', async () => {
    const { entries, ours, walked } = await parts.deps.db.one<{
      entries: number
      ours: number
      walked: number
    }>(sql`
      select count(*)::int as entries, count(h.hash)::int as ours,
        count(*) filter (where b.number is not null and (h.hash is null or i.id is not null))::int as walked
      from journal_entries e
      left join chain_transaction_hashes h on h.chain_id = e.chain_id and h.hash = e.tx_hash
      left join intents i on i.id = e.intent_id and i.id = h.intent_id and i.tx_hash = h.hash
        and i.request_id is not distinct from e.request_id
      left join chain_blocks b on b.chain_id = e.chain_id and b.number = e.block_number and b.hash = e.block_hash`)
    expect(ours).toBeGreaterThan(0)
    expect(walked).toBe(entries)
    printFigures('G21', { entries, ours, walked, broken: entries - walked })
  })

  test('a newcomer signs in with the given keys: a buyer with money and a dispute, a verified seller who earned', async () => {
    const app = await createApp(parts.deps)
    await app.start({ isWorking: false })
    try {
      const cast = castOf(CHAIN_SEED, { sellers: 1, buyers: 1 })
      const wallets = [...cast.buyers, ...cast.sellers]
      expect(wallets.map(({ address }) => address)).toEqual(
        listTestWallets(`0x${CHAIN_SEED}`)
          .slice(0, 2)
          .map(({ address }) => address),
      )
      const [buyer, seller] = await Promise.all(wallets.map((wallet) => signIn(app.http, wallet)))
      expect(await parts.deps.chain.usdc.balanceOf(buyer?.wallet.address ?? '')).toBeGreaterThan(
        1_000_000_000n,
      )
      const disputes = await buyer?.get<{ agentId: string }[]>('/api/jobs?role=client&status=DISPUTED')
      expect(disputes).toHaveLength(1)
      const profile = await seller?.get<{ kycStatus: string; agentCount: number }>('/api/owners/me')
      expect(profile).toMatchObject({ kycStatus: 'VERIFIED', agentCount: 1 })
      const from = new Date(Date.now() - DEMO_SPAN_SECONDS * 1000).toISOString().slice(0, 10)
      const series = await seller?.get<{ points: { totalNet: string }[] }>(
        `/api/owners/earnings/series?startDate=${from}`,
      )
      expect(series?.points.filter(({ totalNet }) => totalNet !== '0').length).toBeGreaterThan(1)
      const funnel = await seller?.get<{ total: Record<string, number> }>(
        `/api/owners/funnel?startDate=${from}`,
      )
      const { views = 0, hireForms = 0, jobs = 0 } = funnel?.total ?? {}
      expect(jobs).toBe(plan.jobs.filter(({ agent }) => agent === 0).length)
      expect(hireForms).toBeGreaterThanOrEqual(jobs)
      expect(views).toBeGreaterThan(3 * jobs)
    } finally {
      await app.close()
    }
  })

  test('a second run adds nothing', async () => {
    const { db } = parts.deps
    const count = sql`select (select count(*) from jobs) + (select count(*) from owners) + (select count(*) from intents) as count`
    const before = await db.one(count)
    said.length = 0
    expect(await seed()).toBe('present')
    expect(await db.one(count)).toEqual(before)
    expect(said).toEqual([])
  })

  test('half-made data is said to be so, and left as it is', async () => {
    await parts.deps.db.run(sql`update demo_data set finished_at = null`)
    expect(await seed()).toBe('incomplete')
    expect(said.join()).toContain('incomplete')
  })
})

describe('elsewhere', () => {
  test('production refuses', async () => {
    const parts = await startDemoParts({ startSecondsAgo: 0 })
    const config = { ...parts.deps.config, mode: 'production' as const }
    const seeding = seedDemo({ ...parts.deps, config }, { chainSeed: CHAIN_SEED, say: () => {} })
    await expect(seeding).rejects.toMatchObject({ code: 'STARTUP' })
    await parts.close()
  })

  test('a chain without a past gets none, and one that was left in the past comes to the present', async () => {
    const parts = await startDemoParts({ startSecondsAgo: 86_400 })
    expect(await seedDemo(parts.deps, { chainSeed: CHAIN_SEED, say: () => {} })).toBe('late')
    expect(await parts.deps.db.rows(sql`select 1 from owners`)).toEqual([])
    expect(Math.abs(Date.now() - parts.deps.clock.now().getTime())).toBeLessThan(PATIENCE_MS)
    await parts.close()
  })
})
