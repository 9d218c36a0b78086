import type { AgentDetail, ReviewKind } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export type Rating = 1 | 2 | 3 | 4 | 5

/** A review with what its job says: who gave it, and for how much. */
export interface ReviewRow {
  id: string
  jobId: string
  agentId: string
  clientId: string
  kind: ReviewKind
  /** The seller gave the money back. */
  refunded: boolean
  rating: Rating
  comment: string | null
  reply: string | null
  repliedAt: Date | null
  counted: boolean
  txHash: string | null
  feedbackIndex: bigint | null
  feedbackRound: number
  createdAt: Date
  clientWallet: string
  priceMicro: bigint
}

const columns = sql`
  reviews.id, reviews.job_id, reviews.agent_id, reviews.client_id, reviews.kind,
  jobs.refund_state is not distinct from 'CONFIRMED' as refunded, reviews.rating, reviews.comment, reviews.reply,
  reviews.replied_at, reviews.counted, reviews.tx_hash, reviews.feedback_index,
  reviews.feedback_round, reviews.created_at, jobs.client_wallet, jobs.price_micro`

/** How many of an agent's newest reviews and works its page shows. */
const SHOWN = 10

export interface NewReview {
  id: string
  jobId: string
  agentId: string
  clientId: string
  kind: ReviewKind
  rating: Rating
  comment: string | null
  now: Date
}

/**
 * It counts for nothing until it is scored. Of work that came after all it takes the place of "not delivered". Undefined
 * when the job has its review.
 */
export async function insertReview(db: Queryable, review: NewReview): Promise<ReviewRow | undefined> {
  const { id, jobId, agentId, clientId, kind, rating, comment, now } = review
  const inserted = await db.run(sql`
    insert into reviews (id, job_id, agent_id, seller_id, client_id, kind, rating, comment, counted, created_at)
    select ${id}, jobs.id, ${agentId}, jobs.seller_id, ${clientId}, ${kind}, ${rating}::integer, ${comment}, false,
      ${now}::timestamptz from jobs where jobs.id = ${jobId}
    on conflict (job_id) do update set kind = excluded.kind, rating = excluded.rating, comment = excluded.comment,
      counted = false, created_at = excluded.created_at, reply = null, replied_at = null
    where reviews.kind = 'NOT_DELIVERED' and excluded.kind = 'WORK'`)
  return inserted === 1 ? findReviewOf(db, jobId) : undefined
}

export function findReviewOf(db: Queryable, jobId: string): Promise<ReviewRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from reviews join jobs on jobs.id = reviews.job_id where reviews.job_id = ${jobId}`)
}

export function findReview(db: Queryable, id: string): Promise<ReviewRow | undefined> {
  return db.maybeOne(
    sql`select ${columns} from reviews join jobs on jobs.id = reviews.job_id where reviews.id = ${id}`,
  )
}

export function listReviewsById(db: Queryable, ids: readonly string[]): Promise<ReviewRow[]> {
  return db.rows(sql`
    select ${columns} from reviews join jobs on jobs.id = reviews.job_id where reviews.id = any(${ids}::text[])
    order by reviews.created_at, reviews.id`)
}

/** Undefined when it has its reply. */
export async function saveReply(
  db: Queryable,
  { jobId, reply, now }: { jobId: string; reply: string; now: Date },
): Promise<ReviewRow | undefined> {
  const saved = await db.run(sql`
    update reviews set reply = ${reply}, replied_at = ${now} where job_id = ${jobId} and reply is null`)
  return saved === 1 ? findReviewOf(db, jobId) : undefined
}

export function listReviews(
  db: Queryable,
  { agentId, limit, offset }: { agentId: string; limit: number; offset: number },
): Promise<ReviewRow[]> {
  return db.rows(sql`
    select ${columns} from reviews join jobs on jobs.id = reviews.job_id where reviews.agent_id = ${agentId}
    order by reviews.created_at desc, reviews.id desc limit ${limit} offset ${offset}`)
}

export interface SellerReviewRow extends ReviewRow {
  agentWallet: string
  agentName: string
}

/** Of all agents of a seller, newest first, after a place in that order. */
export function listSellerReviews(
  db: Queryable,
  {
    sellerId,
    after,
    limit,
  }: { sellerId: string; after: { createdAt: Date; id: string } | undefined; limit: number },
): Promise<SellerReviewRow[]> {
  const isAfter = after
    ? sql`and (reviews.created_at, reviews.id) < (${after.createdAt}, ${after.id})`
    : sql``
  return db.rows(sql`
    select ${columns}, agents.wallet_address as agent_wallet, agents.name as agent_name
    from reviews join jobs on jobs.id = reviews.job_id join agents on agents.id = reviews.agent_id
    where reviews.seller_id = ${sellerId} ${isAfter}
    order by reviews.created_at desc, reviews.id desc limit ${limit}`)
}

/** Those that count are counted with their agent; the others are few. */
export async function countReviews(db: Queryable, agentId: string): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select review_count + (select count(*) from reviews where agent_id = agents.id and not counted) as count
    from agents where id = ${agentId}`)
  return Number(count)
}

/** The newest reviews of several agents, each newest first. `historyVersion` follows what it reads. */
export function listNewestReviews(db: Queryable, agentIds: readonly string[]): Promise<ReviewRow[]> {
  return db.rows(sql`
    select newest.* from unnest(${agentIds}::text[]) as agent (id)
    cross join lateral (
      select ${columns} from reviews join jobs on jobs.id = reviews.job_id where reviews.agent_id = agent.id
      order by reviews.created_at desc, reviews.id desc limit ${SHOWN}) newest`)
}

type Work = AgentDetail['portfolio'][number]

/** What an agent's portfolio shows. */
const isShownWork = sql`
  reviews.rating >= 4 and reviews.counted and jobs.status = 'COMPLETED' and jobs.ended_at is not null`

/** The newest works that others rated with 4 or 5, of several agents. `historyVersion` follows what it reads. */
export async function listPortfolios(
  db: Queryable,
  agentIds: readonly string[],
): Promise<Map<string, Work[]>> {
  const rows = await db.rows<{
    agentId: string
    jobId: string
    title: string
    category: string
    endedAt: Date
  }>(sql`
    select agent.id as "agentId", work.* from unnest(${agentIds}::text[]) as agent (id)
    cross join lateral (
      select jobs.id as "jobId", jobs.title, jobs.category, jobs.ended_at
      from reviews join jobs on jobs.id = reviews.job_id
      where reviews.agent_id = agent.id and ${isShownWork}
      order by reviews.created_at desc, reviews.id desc limit ${SHOWN}) work`)
  const portfolios = new Map<string, Work[]>(agentIds.map((id) => [id, []]))
  for (const { agentId, endedAt, ...work } of rows) {
    portfolios.get(agentId)?.push({ ...work, completedAt: endedAt.toISOString() })
  }
  return portfolios
}

/**
 * Which reviews and works an agent's page shows, and since which transactions each is as it is: the same for as long as
 * both statements above read the same. Null where there are none.
 */
export function historyVersion(agentId: Sql): Sql {
  const newest = (condition: Sql) => sql`(
    select concat_ws(' ', reviews.id, reviews.xmin, jobs.xmin) as version
    from reviews join jobs on jobs.id = reviews.job_id
    where reviews.agent_id = ${agentId} and ${condition}
    order by reviews.created_at desc, reviews.id desc limit ${SHOWN})`
  return sql`(
    select md5(string_agg(version, ' ')) from (${newest(sql`true`)} union all ${newest(isShownWork)}) shown)`
}

/** The agent's number in the identity registry; null until it has one. */
export async function findOnChainAgentId(db: Queryable, agentId: string): Promise<bigint | null> {
  const row = await db.maybeOne<{ id: bigint | null }>(
    sql`select on_chain_agent_id as id from agents where id = ${agentId}`,
  )
  return row?.id ?? null
}
