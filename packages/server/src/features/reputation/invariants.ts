import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { sql } from '../../platform/db/sql.ts'
import { assess } from './score/assess.ts'
import { readBooks } from './score/books.ts'

/** So many agents are computed again in one audit; where there are more, any of them. */
const COMPARED = 500

interface Stored {
  id: string
  sellerId: string
  score: number
  reviewCount: number
  scoredAt: Date
}

export const reputationInvariants: readonly Invariant[] = [
  inDatabase('R6', 'An agent’s score is the one that its books give', async (db) => {
    // What is due is known to be old. One statement sees one moment; what changes after it is due by then.
    const agents = await db.rows<Stored>(sql`
      select id, owner_id as "sellerId", score, review_count, scored_at from agents
      where scored_at is not null and not exists (select 1 from agent_scores_due d where d.agent_id = agents.id)
      order by random() limit ${COMPARED}`)
    const breaches: Record<string, unknown>[] = []
    for (const { id, sellerId, score, reviewCount, scoredAt } of agents) {
      const computed = assess(await readBooks(db, { agentId: id, sellerId }, scoredAt)).score
      const counted = computed.reviews.filter((review) => review.counted).length
      if (Math.abs(computed.score - score) < 1e-9 && counted === reviewCount) continue
      const isDue = await db.maybeOne(sql`
        select 1 as due from agents left join agent_scores_due d on d.agent_id = agents.id
        where agents.id = ${id} and (d.agent_id is not null or agents.scored_at <> ${scoredAt})`)
      if (isDue === undefined) breaches.push({ id, score, computed: computed.score, reviewCount, counted })
    }
    return breaches
  }),

  inDatabase('R7', 'No job that the graph took out of an agent’s record is in a counted good review', (db) =>
    db.rows(sql`
      select reviews.id, x.reason from reviews join job_exclusions x on x.job_id = reviews.job_id
      where reviews.counted and reviews.rating > 2
        and not exists (select 1 from agent_scores_due d where d.agent_id = reviews.agent_id)`),
  ),
]
