import { agents } from '../../house/books/subjects.ts'
import { type BrokenRow, type Invariant, inDatabase, type Subject } from '../../money/audit/invariant.ts'
import { rowsOf } from '../../money/audit/keys.ts'
import { sql } from '../../platform/db/sql.ts'
import { assess } from './score/assess.ts'
import { readBooks } from './score/books.ts'

interface Stored {
  key: string
  sellerId: string
  score: number
  reviewCount: number
  scoredAt: Date
}

/**
 * Scores, by their agent. What feeds a score makes it due, and it is checked once it was computed: a check reads all of the
 * agent's books, as computing it does, so it does not follow each job.
 */
const scores: Subject = { name: 'score', list: rowsOf('agents', 'id') }

export const reputationInvariants: readonly Invariant[] = [
  inDatabase(scores, 'R6', 'An agent’s score is the one that its books give', async (db, keys) => {
    // What is due is known to be old. One statement sees one moment; what changes after it is due by then.
    const scored = await db.rows<Stored>(sql`
      select id as key, owner_id as "sellerId", score, review_count, scored_at from agents
      where id = any(${keys}) and scored_at is not null
        and not exists (select 1 from agent_scores_due d where d.agent_id = agents.id)`)
    const breaches: BrokenRow[] = []
    for (const { key, sellerId, score, reviewCount, scoredAt } of scored) {
      const computed = assess(await readBooks(db, { agentId: key, sellerId }, scoredAt)).score
      const counted = computed.reviews.filter((review) => review.counted).length
      if (Math.abs(computed.score - score) < 1e-9 && counted === reviewCount) continue
      const isDue = await db.maybeOne(sql`
        select 1 as due from agents left join agent_scores_due d on d.agent_id = agents.id
        where agents.id = ${key} and (d.agent_id is not null or agents.scored_at <> ${scoredAt})`)
      if (isDue === undefined) breaches.push({ key, score, computed: computed.score, reviewCount, counted })
    }
    return breaches
  }),

  inDatabase(
    agents,
    'R7',
    'No job that the graph took out of an agent’s record is in a counted good review',
    (db, keys) =>
      db.rows(sql`
      select x.agent_id as key, reviews.id as "reviewId", x.reason
      from job_exclusions x join reviews on reviews.job_id = x.job_id
      where x.agent_id = any(${keys}) and reviews.counted and reviews.rating > 2
        and not exists (select 1 from agent_scores_due d where d.agent_id = reviews.agent_id)`),
  ),
]
