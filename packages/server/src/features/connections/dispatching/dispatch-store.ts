import type { DispatchState } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

export interface DispatchRow {
  id: string
  agentId: string
  sellerId: string
  jobId: string
  state: DispatchState
  attempts: number
  responseStatus: number | null
  error: string | null
  nextAttemptAt: Date | null
  giveUpAt: Date
  createdAt: Date
}

export const dispatchColumns = sql`
  id, agent_id, (select seller_id from jobs where jobs.id = job_id) as "sellerId", job_id, state, attempts,
  response_status, error, next_attempt_at, give_up_at, created_at`

export const isOpen = sql`state in ('PENDING', 'WORKING')`

export interface NewDispatch {
  id: string
  agentId: string
  jobId: string
  round: number
  giveUpAt: Date
  createdAt: Date
}

/**
 * Only for an agent that is connected. Work that was stopped because a fork took its payment back goes on under the same
 * id once it is paid again; work that is under way goes on as it is.
 */
export function openDispatch(tx: Queryable, dispatch: NewDispatch): Promise<DispatchRow | undefined> {
  const { id, agentId, jobId, round, giveUpAt, createdAt } = dispatch
  return tx.maybeOne(sql`
    insert into agent_dispatches as d (id, agent_id, job_id, round, next_attempt_at, give_up_at, created_at)
    select ${id}, agent_id, ${jobId}, ${round}, ${createdAt}, ${giveUpAt}, ${createdAt}
    from agent_connections where agent_id = ${agentId}
    on conflict (job_id, round) do update set give_up_at = excluded.give_up_at,
      state = case when d.state = 'STOPPED' then 'PENDING' else d.state end,
      next_attempt_at = case when d.state = 'STOPPED' then excluded.next_attempt_at else d.next_attempt_at end
    where d.state in ('STOPPED', 'PENDING', 'WORKING')
    returning ${dispatchColumns}`)
}

/** The last round of a job, where it was stopped for this reason and has time left. What was sent by another connection is not. */
export function resumeDispatch(
  tx: Queryable,
  { jobId, error, now }: { jobId: string; error: string; now: Date },
): Promise<DispatchRow | undefined> {
  return tx.maybeOne(sql`
    update agent_dispatches d set state = 'PENDING', error = null, next_attempt_at = ${now}
    where job_id = ${jobId} and state = 'STOPPED' and error = ${error} and give_up_at > ${now}
      and not exists (select 1 from agent_dispatches later where later.job_id = d.job_id and later.round > d.round)
      and exists (select 1 from agent_connections c where c.agent_id = d.agent_id and c.created_at <= d.created_at)
    returning ${dispatchColumns}`)
}

/** Closes an earlier round of the job whose work was delivered another way: its token ends with it. */
export async function stopOtherRounds(
  tx: Queryable,
  { jobId, round }: Pick<NewDispatch, 'jobId' | 'round'>,
  error: string,
): Promise<void> {
  await tx.run(sql`
    update agent_dispatches set state = 'STOPPED', next_attempt_at = null, error = ${error}
    where job_id = ${jobId} and round <> ${round} and ${isOpen}`)
}

export interface Attempt {
  dispatchId: string
  attempt: number
}

/** The dispatch while exactly this attempt is its next one: a task that came twice, or too late, finds nothing. */
export function findAwaiting(
  db: Queryable,
  { dispatchId, attempt }: Attempt,
): Promise<DispatchRow | undefined> {
  return db.maybeOne(sql`
    select ${dispatchColumns} from agent_dispatches
    where id = ${dispatchId} and state = 'PENDING' and attempts = ${attempt - 1}`)
}

/**
 * Takes the attempt, until the time given; false when it is not due, or somebody else has it. A worker that dies loses it
 * then, and the attempt is made again.
 */
export async function claimAttempt(
  db: Queryable,
  { dispatchId, attempt }: Attempt,
  { now, until, tokenHash }: { now: Date; until: Date; tokenHash: string },
): Promise<boolean> {
  const claimed = await db.run(sql`
    update agent_dispatches set next_attempt_at = ${until}, token_hash = ${tokenHash}
    where id = ${dispatchId} and state = 'PENDING' and attempts = ${attempt - 1} and next_attempt_at <= ${now}`)
  return claimed === 1
}

/** The round that the agent has, or is to be sent. There is one at most. */
export function findOpenRound(db: Queryable, jobId: string): Promise<DispatchRow | undefined> {
  return db.maybeOne(sql`
    select ${dispatchColumns} from agent_dispatches where job_id = ${jobId} and ${isOpen} order by round desc limit 1`)
}

export function findByTokenHash(db: Queryable, tokenHash: string): Promise<DispatchRow | undefined> {
  return db.maybeOne(sql`select ${dispatchColumns} from agent_dispatches where token_hash = ${tokenHash}`)
}

/** Whether the job has come back for changes since, and is with the agent again. */
export async function hasLaterRound(db: Queryable, id: string): Promise<boolean> {
  const found = await db.maybeOne(sql`
    select 1 as found from agent_dispatches own join agent_dispatches later using (job_id)
    where own.id = ${id} and later.round > own.round limit 1`)
  return found !== undefined
}

export interface AttemptOutcome {
  state: 'PENDING' | 'WORKING'
  responseStatus: number | null
  error: string | null
  nextAttemptAt: Date | null
}

/** False when it ended meanwhile. */
export async function saveAttempt(
  tx: Queryable,
  { dispatchId, attempt }: Attempt,
  { state, responseStatus, error, nextAttemptAt }: AttemptOutcome,
): Promise<boolean> {
  const saved = await tx.run(sql`
    update agent_dispatches set state = ${state}, attempts = ${attempt}, response_status = ${responseStatus},
      error = ${error}, next_attempt_at = ${nextAttemptAt}
    where id = ${dispatchId} and state = 'PENDING' and attempts = ${attempt - 1}`)
  return saved === 1
}

/** The dispatch while its agent has it. */
export function findWorking(db: Queryable, id: string): Promise<DispatchRow | undefined> {
  return db.maybeOne(
    sql`select ${dispatchColumns} from agent_dispatches where id = ${id} and state = 'WORKING'`,
  )
}

/** The agent lost it: it is sent again. */
export async function reopenDispatch(
  tx: Queryable,
  id: string,
  { error, nextAttemptAt }: { error: string; nextAttemptAt: Date },
): Promise<boolean> {
  const saved = await tx.run(sql`
    update agent_dispatches set state = 'PENDING', error = ${error}, next_attempt_at = ${nextAttemptAt}
    where id = ${id} and state = 'WORKING'`)
  return saved === 1
}

/** False when it ended meanwhile: work is delivered once. */
export async function saveDelivered(
  tx: Queryable,
  id: string,
  { attempts, responseStatus }: { attempts: number; responseStatus: number | null },
): Promise<boolean> {
  const saved = await tx.run(sql`
    update agent_dispatches set state = 'DELIVERED', next_attempt_at = null, error = null,
      attempts = ${attempts}, response_status = coalesce(${responseStatus}::integer, response_status)
    where id = ${id} and ${isOpen}`)
  return saved === 1
}

export async function endDispatch(
  tx: Queryable,
  id: string,
  { state, error }: { state: 'FAILED' | 'STOPPED'; error: string | null },
): Promise<boolean> {
  const saved = await tx.run(sql`
    update agent_dispatches set state = ${state}, next_attempt_at = null, error = coalesce(${error}, error)
    where id = ${id} and ${isOpen}`)
  return saved === 1
}
