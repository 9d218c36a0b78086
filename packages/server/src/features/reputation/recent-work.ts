import { formatMicro, type RecentWork } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

const SHOWN = 3
/** So many reviews are looked at: enough for three agents, and the same in a market of any size. */
const LOOKED_AT = 60

interface WorkRow extends Omit<RecentWork, 'agreedPrice' | 'completedAt'> {
  priceMicro: bigint
  endedAt: Date
}

/** The last works that others were content with, each of another agent. */
export async function listRecentWorks(db: Queryable): Promise<RecentWork[]> {
  const rows = await db.rows<WorkRow>(sql`
    select jobs.id as job_id, jobs.title, agents.wallet_address as agent_wallet, agents.name as agent_name,
      agents.avatar_url as agent_avatar_url, jobs.price_micro, last_of_agent.rating, jobs.ended_at,
      extract(epoch from delivered.at - paid.at)::float8 as delivery_seconds
    from (
      select distinct on (agent_id) newest.* from (
        select agent_id, job_id, rating, created_at, id from reviews where rating >= 4 and counted
        order by created_at desc, id desc limit ${LOOKED_AT}) newest
      order by agent_id, created_at desc, id desc) last_of_agent
      join jobs on jobs.id = last_of_agent.job_id and jobs.status = 'COMPLETED' and jobs.ended_at is not null
      join agents on agents.id = last_of_agent.agent_id and agents.listed
      cross join lateral (
        select min(created_at) as at from job_events where job_id = jobs.id and type = 'JOB_FUNDED') paid
      cross join lateral (select min(delivered_at) as at from job_deliveries where job_id = jobs.id) delivered
    where delivered.at >= paid.at
    order by last_of_agent.created_at desc, last_of_agent.id desc limit ${SHOWN}`)
  return rows.map(({ priceMicro, endedAt, ...work }) => ({
    ...work,
    agreedPrice: formatMicro(priceMicro),
    completedAt: endedAt.toISOString(),
  }))
}
