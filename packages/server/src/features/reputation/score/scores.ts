import { connectionExclusions, type Exclusion, type WeighedScore } from '@agent-marketplace/contract/rating'
import type { AddJobToTotals } from '../../../house/ended-job.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { createDueWork, type DuePlace } from '../../../platform/queue/due-work.ts'
import { discoverPublic } from '../graph/neighbourhood-store.ts'
import { followCounted } from '../on-chain/follow.ts'
import { listReviewsById } from '../store.ts'
import { assess } from './assess.ts'
import { type AgentFacts, readBooks } from './books.ts'
import type { JobFacts } from './books-store.ts'
import { readDelivery } from './delivery-store.ts'
import { type PaymentFacts, savePayment } from './payments-store.ts'
import {
  type Arithmetic,
  findEnded,
  listDue,
  lockSeller,
  makeOldDue,
  readDueTime,
  removeDue,
  saveArithmetic,
  saveCounted,
  saveExclusion,
  saveScore,
} from './score-store.ts'

const BATCH = 500
/** By one statement, which has ten seconds; a million agents a day are 7,000 in ten minutes. */
const AGED_AT_ONCE = 10_000
const DAY_MS = 24 * 3600 * 1000
/** So many reviews of an agent are explained one by one, the newest first. */
const EXPLAINED = 100

export interface ScoresDeps {
  db: Database
  clock: Clock
  intents: Pick<Intents, 'create'>
  addJobToTotals: AddJobToTotals
  addPaymentToTotals: (
    tx: Queryable,
    payment: { agentId: string; earnedMicro: bigint; by: 1 | -1 },
  ) => Promise<void>
}

/**
 * Keeps every agent's score. Whatever feeds one makes it due, in its own transaction; a review is scored at once, all
 * else within seconds, and everything once a day, because reviews age.
 */
export function createScores({ db, clock, intents, addJobToTotals, addPaymentToTotals }: ScoresDeps) {
  /** Follows what the graph says of one job: it leaves its agent's totals, or comes back to them. */
  const follow = async (
    tx: Queryable,
    agentId: string,
    job: JobFacts,
    reason: Exclusion | null,
  ): Promise<void> => {
    const ended = await findEnded(tx, job.jobId)
    const move = async (by: 1 | -1) => {
      if (ended) await addJobToTotals(tx, { ...ended, jobId: job.jobId, agentId, counts: job.counts, by })
    }
    // What is excluded is never added or taken, so it is taken before, and added after.
    if (job.excludedFor === null) await move(-1)
    await saveExclusion(tx, { jobId: job.jobId, agentId, reason })
    if (reason === null) await move(1)
  }

  const followPayment = async (
    tx: Queryable,
    agentId: string,
    { paymentId, amountMicro, isCounted }: PaymentFacts,
    reason: Exclusion | null,
  ): Promise<void> => {
    if (isCounted === (reason === null)) return
    await savePayment(tx, { paymentId, agentId, reason })
    await addPaymentToTotals(tx, { agentId, earnedMicro: amountMicro, by: reason === null ? 1 : -1 })
  }

  /** `asked` is the review that a client is giving now: its feedback is theirs to pay for. */
  const score = async (
    tx: Transaction,
    agentId: string,
    asked?: { reviewId: string; requestId: string | null },
  ): Promise<void> => {
    const agent = await lockSeller(tx, agentId)
    if (agent === undefined) return
    await removeDue(tx, agentId)
    const now = clock.now()
    const books = await readWithPublic(tx, { agentId, sellerId: agent.sellerId }, now)
    const assessment = assess(books)
    const connectionOf = (id: string): Exclusion | null => {
      const found = assessment.exclusions.get(id) ?? null
      return found !== null && connectionExclusions.includes(found) ? found : null
    }
    for (const job of books.rows) {
      const reason = connectionOf(job.jobId)
      if (reason !== job.excludedFor) await follow(tx, agentId, job, reason)
    }
    for (const payment of books.reported) {
      await followPayment(tx, agentId, payment, connectionOf(payment.paymentId))
    }
    const changed = await saveChanged(tx, books.rows, assessment.score)
    for (const review of await listReviewsById(tx, changed)) {
      await followCounted(tx, { intents }, review, review.id === asked?.reviewId ? asked.requestId : null)
    }
    await saveScore(tx, agentId, {
      score: assessment.score,
      delivery: await readDelivery(tx, agentId, now),
      now,
    })
    await saveArithmetic(tx, agentId, arithmeticOf(assessment.score))
  }

  const scoreUntil = createDueWork<DuePlace, string>({
    list: (after, until) => listDue(db, { until, after, limit: BATCH }),
    work: ({ id }) => db.transaction((tx) => score(tx, id)),
  })

  return {
    score,

    /** Scores what is due when the turn begins. Each agent is a transaction of its own. */
    async runDue(signal: AbortSignal): Promise<void> {
      const { until } = await readDueTime(db)
      await scoreUntil(until, signal)
    },

    makeOldDue: (): Promise<void> => makeOldDue(db, new Date(clock.now().getTime() - DAY_MS), AGED_AT_ONCE),
  }
}

export type Scores = ReturnType<typeof createScores>

/** A wallet that turns out to be an exchange is known before anything is concluded from its money. */
async function readWithPublic(
  tx: Queryable,
  agent: { agentId: string; sellerId: string },
  now: Date,
): Promise<AgentFacts> {
  const books = await readBooks(tx, agent, now)
  const found = await discoverPublic(tx, books.funders)
  return found === 0 ? books : readBooks(tx, agent, now)
}

/** Returns the ids of the reviews that count now and did not before, or the other way round. */
async function saveChanged(
  tx: Queryable,
  jobs: readonly JobFacts[],
  { reviews }: WeighedScore,
): Promise<string[]> {
  const before = new Map(jobs.map(({ reviewId, isCounted }) => [reviewId, isCounted]))
  const changed = reviews.filter(({ id, counted }) => before.get(id) !== counted)
  for (const counted of [true, false]) {
    const ids = changed.filter((review) => review.counted === counted).map(({ id }) => id)
    await saveCounted(tx, ids, counted)
  }
  return changed.map(({ id }) => id)
}

/** Jobs come the oldest first, so the newest reviews are at the end. */
function arithmeticOf({ reviews }: WeighedScore): Arithmetic {
  const notCounted: Arithmetic['notCounted'] = {}
  for (const { exclusion } of reviews) {
    if (exclusion !== null) notCounted[exclusion] = (notCounted[exclusion] ?? 0) + 1
  }
  return { reviews: reviews.slice(-EXPLAINED).toReversed(), notCounted }
}
