import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { CardSkill } from '../a2a/card-skills.ts'

/** So many of the last dispatches make the median. */
const COUNTED_DISPATCHES = 20

export interface DueProbe {
  agentId: string
  sellerId: string
}

/** A few of each seller, so that a seller with many does not hold up the others. Deactivated sellers have none. */
export function listDueProbes(
  db: Queryable,
  now: Date,
  { perSeller, limit }: { perSeller: number; limit: number },
): Promise<DueProbe[]> {
  return db.rows(sql`
    select agent_id, seller_id from (
      select c.agent_id, c.next_probe_at, a.owner_id as seller_id,
        row_number() over (partition by a.owner_id order by c.next_probe_at) as place
      from agent_connections c join agents a on a.id = c.agent_id join owners o on o.id = a.owner_id
      where c.next_probe_at <= ${now} and o.account_status <> 'DEACTIVATED') due
    where place <= ${perSeller} order by place, next_probe_at limit ${limit}`)
}

/** Claims the probe until the given time; undefined when it is not due, or another worker has it. */
export function claimProbe(
  db: Queryable,
  agentId: string,
  { now, until }: { now: Date; until: Date },
): Promise<{ failedProbes: number } | undefined> {
  return db.maybeOne(sql`
    update agent_connections set next_probe_at = ${until} where agent_id = ${agentId} and next_probe_at <= ${now}
    returning failed_probes`)
}

interface ProbeOutcome {
  url: string
  failedProbes: number
  /** Undefined where it is not known: what was known stays. */
  skills: CardSkill[] | undefined
  at: Date
  nextProbeAt: Date
}

/** False when the agent is connected otherwise by now, so that the probe says nothing about it. */
export async function saveProbe(
  tx: Queryable,
  agentId: string,
  { url, failedProbes, skills, at, nextProbeAt }: ProbeOutcome,
): Promise<boolean> {
  const saved = await tx.run(sql`
    update agent_connections set failed_probes = ${failedProbes}, next_probe_at = ${nextProbeAt},
      skills = coalesce(${skills ? sql.json(skills) : null}::jsonb, skills),
      last_seen_at = case when ${failedProbes}::integer = 0 then ${at}::timestamptz else last_seen_at end
    where agent_id = ${agentId} and url = ${url}`)
  return saved === 1
}

/** Whether it is connected, and not known to be online. */
export async function isUnmarked(db: Queryable, agentId: string): Promise<boolean> {
  const found = await db.maybeOne(sql`
    select 1 as found from agent_connections c join agents a on a.id = c.agent_id
    where c.agent_id = ${agentId} and a.online is not true`)
  return found !== undefined
}

/** The first sign of work on what the agent has of this job. The median is kept along with it. */
export async function saveFirstProgress(tx: Queryable, jobId: string, at: Date): Promise<void> {
  const dispatch = await tx.maybeOne<{ agentId: string }>(sql`
    update agent_dispatches set first_progress_at = ${at}
    where job_id = ${jobId} and state in ('PENDING', 'WORKING') and first_progress_at is null returning agent_id`)
  if (!dispatch) return
  await tx.run(sql`
    update agent_connections set (first_progress_seconds, first_progress_samples) = (
      select percentile_cont(0.5) within group (order by seconds), count(*)::integer from (
        select extract(epoch from first_progress_at - created_at)::float8 as seconds from agent_dispatches
        where agent_id = ${dispatch.agentId} and first_progress_at is not null
        order by seq desc limit ${COUNTED_DISPATCHES}) counted)
    where agent_id = ${dispatch.agentId}`)
}
