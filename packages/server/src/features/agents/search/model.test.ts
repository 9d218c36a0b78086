import { type AgentSearch, type AgentSort, agentSorts } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type SeededAgent, seedAgents, seedId } from '../testing/seed-agents.ts'
import { startAgents } from '../testing/start-agents.ts'
import { expectMatches } from './expectation.ts'
import { agentQueryOf, type SearchLimits } from './query.ts'
import { createAgentSearch, MANY_TIMES_RANKED } from './search.ts'
import { findLanguages } from './term-store.ts'

const api = await startAgents()
afterAll(() => api.close())

/** Words that are their own stems and none of them like a name, so that a model without a dictionary can find them. */
const words = ['apple', 'river', 'stone', 'cloud', 'lamp']
const stems = new Map([['apple', 'appl']])
const categories = ['Finance', 'art', 'Deep Research']
const skillNames = ['solidity', 'Rust', 'audits', 'poetry']

const agentArbitrary: fc.Arbitrary<Omit<SeededAgent, 'id'>> = fc.record({
  name: fc.constantFrom('Qzx', 'Wvk', 'Jhq'),
  description: fc.subarray(words).map((chosen) => `Of ${chosen.join(' and ')}.`),
  category: fc.constantFrom(...categories),
  skills: fc.subarray(skillNames),
  services: fc.subarray(words, { maxLength: 2 }),
  lowestPriceMicro: fc.integer({ min: 0, max: 6 }).map(BigInt),
  x402Enabled: fc.boolean(),
  ratingSum: fc.integer({ min: 0, max: 10 }),
  reviewCount: fc.constantFrom(0, 2, 3),
  score: fc.constantFrom(1, 1.05, 1.5, 2.6, 3.3, 4.1),
  record: fc.record({
    onTime: fc.integer({ min: 0, max: 10 }),
    delivered: fc.integer({ min: 0, max: 10 }),
    disputes: fc.integer({ min: 0, max: 10 }),
    deliverySeconds: fc.integer({ min: 0, max: 9 }).map((hours) => hours * 3600),
    responseSeconds: fc.integer({ min: 0, max: 9 }).map((hours) => hours * 3600),
  }),
  totalJobs: fc.integer({ min: 0, max: 5 }),
  totalEarnedMicro: fc.integer({ min: 0, max: 5 }).map(BigInt),
  undeliveredJobs: fc.constantFrom(0, 0, 0, 1, 2),
  isPremium: fc.boolean(),
  isApproved: fc.constantFrom(true, true, true, false),
  isPaused: fc.constantFrom(false, false, false, true),
  online: fc.constantFrom(null, null, true, false),
  createdAt: fc.integer({ min: 0, max: 50 }).map((minute) => new Date(Date.UTC(2026, 9, 1, 0, minute))),
})

const [generated = []] = fc.sample(fc.array(agentArbitrary, { minLength: 300, maxLength: 300 }), {
  numRuns: 1,
  seed: 5,
})
const seeded: SeededAgent[] = generated.map((agent, index) => ({
  ...agent,
  id: seedId(index),
  ratingSum: Math.min(agent.ratingSum, agent.reviewCount * 5),
}))
await seedAgents(api.db, seeded)
const listed = seeded.filter(({ isApproved, isPaused }) => isApproved && !isPaused)

const ratingOf = ({ ratingSum, reviewCount }: SeededAgent) =>
  reviewCount === 0 ? 0 : ratingSum / reviewCount
const down = (a: number | bigint, b: number | bigint) => (a > b ? -1 : a < b ? 1 : 0)
const byKey = (keyOf: (agent: SeededAgent) => number | bigint) => (a: SeededAgent, b: SeededAgent) =>
  down(keyOf(a), keyOf(b)) || down(Number(a.isPremium), Number(b.isPremium)) || (a.id > b.id ? -1 : 1)

const isMarked = ({ undeliveredJobs = 0 }: SeededAgent) => Number(undeliveredJobs > 0)
/** Agents that owe work come last, in every order. */
const marksLast =
  (compare: (a: SeededAgent, b: SeededAgent) => number) =>
  (a: SeededAgent, b: SeededAgent): number =>
    isMarked(a) - isMarked(b) || compare(a, b)

const comparisons: Record<AgentSort, (a: SeededAgent, b: SeededAgent) => number> = {
  rating: marksLast(byKey(({ score }) => score)),
  onTime: marksLast(byKey(({ record }) => record.onTime)),
  delivered: marksLast(byKey(({ record }) => record.delivered)),
  disputes: marksLast(byKey(({ record }) => -record.disputes)),
  speed: marksLast(byKey(({ record }) => -record.deliverySeconds)),
  response: marksLast(byKey(({ record }) => -record.responseSeconds)),
  price: marksLast(byKey(({ lowestPriceMicro }) => -lowestPriceMicro)),
  jobs: marksLast(byKey(({ totalJobs }) => totalJobs)),
  earned: marksLast(byKey(({ totalEarnedMicro }) => totalEarnedMicro)),
  newest: marksLast((a, b) => down(a.createdAt.getTime(), b.createdAt.getTime()) || (a.id > b.id ? -1 : 1)),
}

/** A query without words has one, which is empty and everywhere. */
const wordsOf = ({ q = '' }: AgentSearch) => q.split(' ')

function hasWord({ description, services }: SeededAgent, word: string): boolean {
  return [description, ...services].join(' ').includes(stems.get(word) ?? word)
}

const matches = (agent: SeededAgent, search: AgentSearch): boolean =>
  fits(agent, search) && wordsOf(search).every((word) => hasWord(agent, word))

function fits(agent: SeededAgent, search: AgentSearch): boolean {
  const { type, skills = '', minRating = 0, maxPrice, x402Enabled } = search
  const own = agent.skills.map((skill) => skill.toLowerCase())
  return (
    (type === undefined || type.toLowerCase() === agent.category.toLowerCase()) &&
    skills.split(',').every((skill) => skill.trim() === '' || own.includes(skill.trim().toLowerCase())) &&
    ratingOf(agent) >= minRating &&
    (maxPrice === undefined || agent.lowestPriceMicro <= BigInt(maxPrice)) &&
    (x402Enabled === undefined || agent.x402Enabled === x402Enabled) &&
    (search.online === undefined || agent.online === search.online) &&
    agent.record.onTime / 10 >= (search.minOnTimeRate ?? 0) &&
    agent.record.delivered / 10 >= (search.minDeliveryRate ?? 0) &&
    agent.record.disputes / 10 <= (search.maxDisputeRate ?? 1) &&
    agent.record.deliverySeconds <= (search.maxDeliveryHours ?? 10) * 3600 &&
    agent.record.responseSeconds <= (search.maxResponseHours ?? 10) * 3600
  )
}

/** As many as are looked up and scored: those of all words, the rarest first, or the best-rated ones of the rarest. */
function closestOf(search: AgentSearch, rankedCount: number): SeededAgent[] {
  const countOf = (word: string) => listed.filter((agent) => hasWord(agent, word)).length
  const chosen: string[] = []
  let sum = 0
  for (const word of wordsOf(search).toSorted((a, b) => countOf(a) - countOf(b) || (a < b ? -1 : 1))) {
    sum += countOf(word)
    if (chosen.length === 0 || sum <= rankedCount) chosen.push(word)
  }
  const some = listed.filter(
    (agent) => fits(agent, search) && !matches(agent, search) && chosen.some((word) => hasWord(agent, word)),
  )
  return some.toSorted(comparisons.rating).slice(0, rankedCount)
}

/** With as many full matches as this, no others follow. */
const ENOUGH = 20

const searchArbitrary = fc.record(
  {
    q: fc.subarray(words, { minLength: 1, maxLength: 2 }).map((chosen) => chosen.join(' ')),
    type: fc.constantFrom(...categories, 'FINANCE', 'none'),
    skills: fc.subarray([...skillNames, 'SOLIDITY'], { maxLength: 2 }).map((chosen) => chosen.join(', ')),
    minRating: fc.constantFrom(0, 1, 2.5, 4, 5),
    maxPrice: fc.integer({ min: 0, max: 6 }).map(String),
    x402Enabled: fc.boolean(),
    online: fc.boolean(),
    minOnTimeRate: fc.constantFrom(0.5, 0.9),
    minDeliveryRate: fc.constantFrom(0.5, 1),
    maxDisputeRate: fc.constantFrom(0.5, 0),
    maxDeliveryHours: fc.constantFrom(1, 5),
    maxResponseHours: fc.constantFrom(1, 5),
    sort: fc.constantFrom<AgentSort>(...agentSorts),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.integer({ min: 0, max: 120 }),
  },
  { requiredKeys: [] },
)

async function checkAgainstModel(search: AgentSearch): Promise<void> {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const response = await api.send('GET', `/api/agents/search?${query}`)
  expect(response.statusCode).toBe(200)
  const { agents, total, fullMatches, limit, offset } = response.json().data
  const full = listed.filter((agent) => matches(agent, search))
  const closest = full.length < ENOUGH && search.q ? closestOf(search, listed.length) : []
  const found = [...full, ...closest]
  const sort = search.sort ?? (search.q ? undefined : 'rating')
  expect([total, limit, offset]).toEqual([found.length, search.limit ?? 20, search.offset ?? 0])
  expect(fullMatches).toBe(full.length)
  const ids: string[] = agents.map(({ id }: { id: string }) => id)
  if (sort) {
    const expected = [...full.toSorted(comparisons[sort]), ...closest.toSorted(comparisons[sort])]
    expect(ids).toEqual(expected.slice(offset, offset + limit).map(({ id }) => id))
    return
  }
  // The rank of words is the database's own; which agents are found, and that pages do not overlap, is not.
  expect(ids).toHaveLength(Math.min(limit, Math.max(found.length - offset, 0)))
  expect(new Set(ids).size).toBe(ids.length)
  for (const [place, id] of ids.entries())
    expect((offset + place < full.length ? full : closest).some((agent) => agent.id === id)).toBe(true)
}

test('every combination of filters, sorts and pages agrees with a sort of all agents', async () => {
  await fc.assert(fc.asyncProperty(searchArbitrary, checkAgainstModel), { numRuns: 200 })
})

test('the pages of a ranked search together are all its matches, once each', async () => {
  const search = { q: 'river', limit: 17 }
  const all = listed.filter((agent) => matches(agent, search))
  const ids: string[] = []
  for (let offset = 0; offset < all.length; offset += search.limit) {
    const response = await api.send('GET', `/api/agents/search?q=river&limit=17&offset=${offset}`)
    ids.push(...response.json().data.agents.map(({ id }: { id: string }) => id))
  }
  expect(ids.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
})

/** So low that few matches are many, and every way to a page and a total is taken. */
const lowLimits: SearchLimits = { exactTotal: 12, ranked: 20 }
const searchWithin = (limits: SearchLimits) =>
  createAgentSearch({ searchDb: api.db, sellerVersion: () => sql`null`, limits })
const searchLow = searchWithin(lowLimits)

/** All matches in the order that relevance promises, by a sort of the agents themselves. */
async function rankedIds(
  text: string,
  found: readonly SeededAgent[],
  { ranked }: SearchLimits,
): Promise<string[]> {
  const byRating = found.toSorted(comparisons.rating).map(({ id }) => id)
  const ranks = await api.db.rows<{ id: string; rank: number; isPremium: boolean }>(sql`
    select id, is_premium, ts_rank(search, plainto_tsquery('english', ${text}))::float8 as rank from agents
    where id = any(${byRating.slice(0, ranked)})`)
  const placeOf = new Map(byRating.map((id, place) => [id, place]))
  const markOf = new Map(found.map((agent) => [agent.id, isMarked(agent)]))
  ranks.sort(
    (a, b) =>
      (markOf.get(a.id) ?? 0) - (markOf.get(b.id) ?? 0) ||
      down(a.rank, b.rank) ||
      down(Number(a.isPremium), Number(b.isPremium)) ||
      (placeOf.get(a.id) ?? 0) - (placeOf.get(b.id) ?? 0),
  )
  return [...ranks.map(({ id }) => id), ...byRating.slice(ranked)]
}

/** Closest matches in the order that relevance promises: words by their rarity and place, and a little of the score. */
async function closestIds(search: AgentSearch, closest: readonly SeededAgent[]): Promise<string[]> {
  const weights = wordsOf(search)
    .map((word) => ({ word, count: listed.filter((agent) => hasWord(agent, word)).length }))
    .toSorted((a, b) => a.count - b.count || (a.word < b.word ? -1 : 1))
    .map(({ word, count }) => ({ word, weight: Math.log(1 + listed.length / count) }))
  const closeness = new Map<string, number>()
  for (const { word, weight } of weights) {
    const ranks = await api.db.rows<{ id: string; rank: number }>(sql`
      select id, ts_rank(search, plainto_tsquery('english', ${word}))::float8 as rank from agents
      where id = any(${closest.map(({ id }) => id)})`)
    for (const { id, rank } of ranks) closeness.set(id, (closeness.get(id) ?? 0) + weight * rank)
  }
  const rankOf = ({ id, score }: SeededAgent) => (closeness.get(id) ?? 0) * (1 + (0.1 * (score - 1)) / 4)
  const order = marksLast(
    (a, b) =>
      down(rankOf(a), rankOf(b)) ||
      down(Number(a.isPremium), Number(b.isPremium)) ||
      comparisons.rating(a, b),
  )
  return closest.toSorted(order).map(({ id }) => id)
}

async function checkManyAgainstModel(search: AgentSearch, limits: SearchLimits): Promise<void> {
  const { rows, total, totalIsEstimate, fullMatches } = await searchWithin(limits)(search)
  const full = listed.filter((agent) => matches(agent, search))
  const { offset = 0, limit = 20 } = search
  const sort = search.sort ?? (search.q ? undefined : 'rating')
  const idsOf = (agents: readonly SeededAgent[], by: AgentSort) =>
    agents.toSorted(comparisons[by]).map(({ id }) => id)
  const closest = search.q && !totalIsEstimate && full.length < ENOUGH ? closestOf(search, limits.ranked) : []
  const expected = sort
    ? [...idsOf(full, sort), ...idsOf(closest, sort)]
    : [...(await rankedIds(search.q ?? '', full, limits)), ...(await closestIds(search, closest))]
  expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit))
  if (full.length <= limits.exactTotal) expect(totalIsEstimate).toBe(false)
  if (totalIsEstimate) expect(total).toBeGreaterThan(limits.exactTotal)
  else expect([total, fullMatches]).toEqual([expected.length, full.length])
}

/** The statistics by which the search expects how many match. */
async function analyze(): Promise<void> {
  await api.db.run(sql`analyze agents`)
  await api.db.run(sql`analyze agent_listings`)
}

test('where matches are many the responses are the same', async () => {
  await analyze()
  await fc.assert(
    fc.asyncProperty(searchArbitrary, (search) => checkManyAgainstModel(search, lowLimits)),
    { numRuns: 200 },
  )
})

test('the pages of a word are the same where its kept count makes reading all its matches needless', async () => {
  await analyze()
  const limits = { exactTotal: listed.length, ranked: 10 }
  const languages = await findLanguages(api.db)
  for (const q of words) {
    const matchCount = listed.filter((agent) => matches(agent, { q })).length
    const query = { ...agentQueryOf({ q }), languages }
    const { count } = await expectMatches({ db: api.db, versionColumns: sql`null`, query, limits })
    expect(count).toBeGreaterThan(MANY_TIMES_RANKED * limits.ranked)
    expect(count).toBeLessThanOrEqual(limits.exactTotal)
    for (let offset = 0; offset < matchCount; offset += 15)
      await checkManyAgainstModel({ q, limit: 15, offset }, limits)
  }
})

test('the pages of full and closest matches together hold each agent once', async () => {
  const search = { q: 'apple river', minRating: 4, limit: 7 }
  const total = (await searchLow(search)).total
  const ids: string[] = []
  for (let offset = 0; offset < total; offset += search.limit)
    ids.push(...(await searchLow({ ...search, offset })).rows.map(({ id }) => id))
  expect(new Set(ids).size).toBe(total)
  expect(ids).toHaveLength(total)
})

test('what is kept for search stays true whatever happens to agents', async () => {
  await api.db.run(sql`update agents set paused_by = 'OWNER' where total_jobs = 1`)
  await api.db.run(sql`update agents set category = 'art', category_key = 'art' where total_jobs = 2`)
  await api.db.run(sql`update agents set approval_status = 'APPROVED', paused_by = null where total_jobs = 3`)
  await api.db.run(sql`delete from agents where total_jobs = 4`)
  await api.db.run(sql`
    update agents set description = 'Of lamp.', skill_keys = '{rust,kites}', rating_sum = 3, review_count = 1,
      lowest_price_micro = 9, total_earned_micro = 9, score = 2.2, on_time_count = 9, x402_enabled = not x402_enabled,
      is_premium = not is_premium, undelivered_jobs = 1 - least(undelivered_jobs, 1)
    where total_jobs = 5`)
  await api.db.run(
    sql`update agents set online = case when online then null else true end where total_jobs = 0`,
  )
  // The rank of no jobs is that of two, one of them late; the rate is not.
  for (const jobs of [0, 1])
    await api.db.run(sql`
      update agents set delivered_count = ${jobs}, deliverable_count = ${2 * jobs}, on_time_count = ${jobs},
        timed_count = ${2 * jobs}, dispute_count = ${jobs}, disputable_count = ${2 * jobs}
      where total_jobs = 3`)
  const truths: [kept: Sql, real: Sql][] = [
    [
      sql`select category_key, listed_count from agent_counts where listed_count <> 0 order by category_key`,
      sql`select category_key, count(*) as listed_count from agents where listed group by category_key order by category_key`,
    ],
    [
      sql`select * from agent_term_counts where listed_count <> 0 order by kind, term`,
      sql`
        select kind, term, count(*) as listed_count from (
          select id, 'WORD' as kind, word as term from agents cross join unnest(search) as words (word, positions, weights)
          where listed
          union
          select id, 'SKILL', skill from agents cross join unnest(skill_keys) skill where listed) terms
        group by kind, term order by kind, term`,
    ],
    [
      sql`select * from agent_listings order by id`,
      sql`
        select id, average_rating, lowest_price_micro, total_earned_micro, created_at, total_jobs, x402_enabled, is_premium,
          category_key, skill_keys, is_marked, score, delivery_rank, on_time_rank, dispute_rank, speed_rank, response_rank,
          delivery_rate, on_time_rate, dispute_rate, online
        from agents where listed order by id`,
    ],
  ]
  for (const [kept, real] of truths) expect(await api.db.rows(kept)).toEqual(await api.db.rows(real))
})
