import { type JobSort, type JobStatus, jobStatuses } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { hasWords } from '../../../platform/db/search-words.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { JobRow, TrueJob } from '../lifecycle/job.ts'
import { jobColumns } from '../lifecycle/store.ts'

export interface JobFilter {
  ownerId: string
  role: 'client' | 'seller' | undefined
  status: JobStatus | undefined
  /** One of them, and `status` as well where that is given. */
  statuses?: readonly JobStatus[]
  agentId: string | undefined
  /** Each of them must be there. */
  words: readonly string[]
}

/** Where a page ends: the last job's key in the order, as text, and its id. */
export interface JobPlace {
  key: string
  id: string
}

export interface JobPage extends JobFilter {
  sort: JobSort
  limit: number
  after: JobPlace | undefined
}

export interface ListedJob extends JobRow {
  offeredBy: 'CLIENT' | 'SELLER' | null
  agentName: string
  agentAvatarUrl: string | null
}

/** What a file says of a job, and what decides how it stands: none of its long texts. */
export type FiledJob = TrueJob &
  Pick<
    JobRow,
    | 'id'
    | 'agentId'
    | 'clientId'
    | 'clientWallet'
    | 'title'
    | 'paymentMethod'
    | 'priceMicro'
    | 'feeMicro'
    | 'netMicro'
    | 'serviceId'
    | 'refundState'
  > &
  Pick<ListedJob, 'agentName'>

const filedColumns = sql`
  jobs.id, jobs.agent_id, jobs.client_id, jobs.client_wallet, jobs.title, jobs.payment_method, jobs.price_micro,
  jobs.fee_micro, jobs.net_micro, jobs.service_id, jobs.refund_state, jobs.created_at, jobs.status, jobs.decided_status,
  jobs.open_intents, jobs.escrow_facts, jobs.ended_at, jobs.change_requests, jobs.review_ends_at, jobs.undecided_at,
  jobs.deadline_at, jobs.due_at`

interface Order {
  key: Sql
  type: Sql
  isAscending?: true
}

const timestamp = sql`timestamptz`
const whole = sql`bigint`
/** In milliseconds, counted backwards, so that one direction is right for the deadline and for the ids of jobs without one. */
const untilDeadline = sql`
  case when jobs.status in ('PENDING', 'IN_PROGRESS') and jobs.due_at is not null
    then -(extract(epoch from jobs.due_at) * 1000)::bigint else -9000000000000000 end`

/** Ids are in the order of time: they decide between equal keys. */
const orders: Record<JobSort, Order> = {
  newest: { key: sql`jobs.created_at`, type: timestamp },
  oldest: { key: sql`jobs.created_at`, type: timestamp, isAscending: true },
  highest: { key: sql`jobs.price_micro`, type: whole },
  lowest: { key: sql`jobs.price_micro`, type: whole, isAscending: true },
  deadline: { key: untilDeadline, type: whole },
  status: { key: sql`-array_position(${jobStatuses}::text[], jobs.status)::bigint`, type: whole },
}

export type AtPlace<Job> = Job & { place: string }

/**
 * Each role walks the jobs of its owner by an index; a job with one's own agent is found by both and shown once. What a
 * search or another order costs depends on the owner's jobs alone, whatever others have. The walks carry only what a page
 * is ordered by, because rows are wide: the rest is read for the jobs on the page.
 */
export const listJobs = (db: Queryable, page: JobPage): Promise<AtPlace<ListedJob>[]> =>
  db.rows(
    pageOf(page, jobColumns, {
      columns: sql`job_disputes.offered_by, agents.avatar_url as agent_avatar_url`,
      from: sql`left join job_disputes on job_disputes.job_id = jobs.id`,
    }),
  )

/** The same jobs for a file. */
export const listFiledJobs = (db: Queryable, page: JobPage): Promise<AtPlace<FiledJob>[]> =>
  db.rows(pageOf(page, filedColumns))

function pageOf(page: JobPage, columns: Sql, besides?: { columns: Sql; from: Sql }): Sql {
  const roles = page.role === undefined ? (['client', 'seller'] as const) : [page.role]
  const walks = roles.flatMap((role) =>
    statusesOf(page).map((status) => sql`(${walkOf(role, { ...page, status })})`),
  )
  const direction = orders[page.sort].isAscending ? sql`asc` : sql`desc`
  return sql`
    select ${columns}, listed.sort_key::text as place, agents.name as agent_name
      ${besides ? sql`, ${besides.columns}` : sql``}
    from (
      select distinct on (walked.sort_key, walked.id) walked.* from (${sql.join(walks, sql` union all `)}) walked
      order by walked.sort_key ${direction}, walked.id ${direction} limit ${page.limit}) listed
    join jobs on jobs.id = listed.id join agents on agents.id = jobs.agent_id
    ${besides ? besides.from : sql``}
    order by listed.sort_key ${direction}, listed.id ${direction}`
}

/** Each status is a walk of its own, so that a few open jobs are found at once among very many that have ended. */
const statusesOf = ({ status, statuses }: JobFilter): readonly (JobStatus | undefined)[] =>
  status === undefined && statuses !== undefined ? statuses : [status]

/** Whether no job can fit. */
export const isEmpty = ({ status, statuses }: JobFilter): boolean =>
  status !== undefined && statuses?.includes(status) === false

function walkOf(role: 'client' | 'seller', page: JobPage): Sql {
  const { ownerId, status, agentId, words, after, limit } = page
  const { key, type, isAscending } = orders[page.sort]
  const direction = isAscending ? sql`asc` : sql`desc`
  const conditions = [
    role === 'client'
      ? sql`jobs.client_id = ${ownerId}`
      : sql`jobs.seller_id = ${ownerId} and not (jobs.paid_in_call and jobs.payer_wallet is null)`,
  ]
  if (status !== undefined) conditions.push(sql`jobs.status = ${status}`)
  if (agentId !== undefined) conditions.push(sql`jobs.agent_id = ${agentId}`)
  if (words.length > 0) conditions.push(hasWords(words, searched))
  if (after !== undefined) {
    const beyond = isAscending ? sql`>` : sql`<`
    conditions.push(sql`(${key}, jobs.id) ${beyond} (${after.key}::text::${type}, ${after.id}::text)`)
  }
  return sql`
    select jobs.id, ${key} as sort_key from jobs ${words.length > 0 ? partiesOfJob : sql``}
    where ${sql.join(conditions, sql` and `)}
    order by ${key} ${direction}, jobs.id ${direction} limit ${limit}`
}

/** Joined, so that each name is read once for all jobs of a party, where a subquery would read it for each job. */
const partiesOfJob = sql`
  join agents searched_agent on searched_agent.id = jobs.agent_id
  join owners searched_client on searched_client.id = jobs.client_id`

const searched = {
  names: sql`concat_ws(' ', jobs.title, searched_agent.name, searched_client.entity_name)`,
  identifiers: [sql`jobs.id`, sql`jobs.client_wallet`, sql`jobs.agent_wallet`],
}
