import { isJobPaid } from '../../house/books/job-costs.ts'
import type { Period } from '../../house/books/period.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ViewCount } from './counter.ts'

/** In one order, so that two processes that write the same agents do not wait for each other in a circle. */
export async function addViews(db: Queryable, counts: readonly ViewCount[]): Promise<void> {
  const sorted = counts.toSorted((one, other) => (one.agentId + one.day < other.agentId + other.day ? -1 : 1))
  const all = <Key extends keyof ViewCount>(key: Key) => sorted.map((count) => count[key])
  await db.run(sql`
    insert into agent_views (agent_id, day, profile_views, hire_forms)
    select * from unnest(${all('agentId')}::text[], ${all('day')}::date[], ${all('profileViews')}::integer[],
      ${all('hireForms')}::integer[])
    on conflict (agent_id, day) do update set profile_views = agent_views.profile_views + excluded.profile_views,
      hire_forms = agent_views.hire_forms + excluded.hire_forms`)
}

export interface FunnelRow {
  agentId: string
  name: string
  walletAddress: string
  views: bigint
  hireForms: bigint
  jobs: bigint
  paidJobs: bigint
  completedJobs: bigint
}

/** Jobs with one's own agent, and those whose payment never came, are no sales. */
export function readFunnel(
  db: Queryable,
  ownerId: string,
  {
    period,
    firstDay,
    lastDay,
    agentId,
  }: { period: Period; firstDay: string; lastDay: string; agentId?: string },
): Promise<FunnelRow[]> {
  const isWanted = agentId === undefined ? sql`true` : sql`agents.id = ${agentId}`
  return db.rows(sql`
    select agents.id as agent_id, agents.name, agents.wallet_address, seen.views, seen.hire_forms, made.jobs,
      made.paid_jobs, made.completed_jobs
    from agents
    cross join lateral (
      select coalesce(sum(profile_views), 0) as views, coalesce(sum(hire_forms), 0) as hire_forms from agent_views
      where agent_id = agents.id and day between ${firstDay}::date and ${lastDay}::date) seen
    cross join lateral (
      select count(*) as jobs, count(*) filter (where ${isJobPaid}) as paid_jobs,
        count(*) filter (where jobs.status = 'COMPLETED') as completed_jobs
      from jobs
      where jobs.agent_id = agents.id and jobs.created_at >= ${period.from} and jobs.created_at < ${period.to}
        and jobs.client_id <> jobs.seller_id and not (jobs.paid_in_call and jobs.payer_wallet is null)) made
    where agents.owner_id = ${ownerId} and ${isWanted}
    order by views desc, jobs desc, agents.created_at, agents.id`)
}
