import { createServer } from 'node:http'
import { type Sql, sql } from '../../packages/server/src/platform/db/sql.ts'
import { makeDaysDue, makeMinutesDue } from './busy-days.ts'
import { bigSeller } from './fill.ts'
import type { BenchService } from './service.ts'
import { type Cost, timeAfter } from './time.ts'

/** So many records are due at once; the second figure shows what one costs. A thousand take long, and are run once. */
const DUE = [
  { due: 100, runs: 3 },
  { due: 1000, runs: 1 },
]

interface Work {
  name: string
  /** Makes so many due, and returns how many it made. */
  makeDue: (count: number) => Sql
  ticks: readonly string[]
  /** Run after the ticks have queued them. */
  tasks?: readonly string[]
  /** Only so many can be due. */
  most?: number
}

const past = sql`now() - interval '1 hour'`
/** Rows of this table, by a condition that an index or most rows meet. */
const some = (table: Sql, condition: Sql, count: number): Sql =>
  sql`ctid = any(array(select ctid from ${table} where ${condition} limit ${count}))`

const works = (webhookId: string): Work[] => [
  // First: jobs that end make scores due as well.
  {
    name: 'scores',
    makeDue: (count) =>
      sql`insert into agent_scores_due (agent_id) select id from agents order by id desc limit ${count}`,
    ticks: ['scores'],
    most: 500,
  },
  { name: 'days of earnings', makeDue: makeDaysDue, ticks: ['earning-days'] },
  { name: 'minutes of a busy day', makeDue: makeMinutesDue, ticks: ['earning-days'] },
  {
    name: 'keys of calls',
    makeDue: (count) => sql`update idempotency_keys set created_at = now() - interval '2 days'
      where ${some(sql`idempotency_keys`, sql`created_at > now() - interval '1 day'`, count)}`,
    ticks: ['remove-expired'],
  },
  {
    name: 'sessions',
    makeDue: (count) => sql`update sessions set expires_at = ${past}
      where ${some(sql`sessions`, sql`id like 'csession%'`, count)}`,
    ticks: ['sessions-expired'],
  },
  {
    name: 'unpaid jobs',
    makeDue: (
      count,
    ) => sql`update jobs set status = 'PENDING', decided_status = 'PENDING', paid_at = null, ended_at = null,
        fund_by = ${past}
      where ${some(sql`jobs`, sql`status = 'COMPLETED'`, count)}`,
    ticks: ['jobs-funding'],
  },
  {
    name: 'jobs whose review has ended',
    makeDue: (
      count,
    ) => sql`update jobs set payment_method = 'ESCROW', status = 'UNDER_REVIEW', decided_status = 'UNDER_REVIEW',
        ended_at = null, review_ends_at = ${past}, escrow_key = '0x' || md5(id) || md5(id),
        escrow_facts = jsonb_build_object('state', 'SUBMITTED', 'changeRequests', 0, 'dueAt', null, 'reviewEndsAt', 0,
          'undecidedAt', null, 'offer', null, 'sellerGross', null, 'actsAlone', '[]'::jsonb)
      where ${some(sql`jobs`, sql`status = 'COMPLETED'`, count)}`,
    ticks: ['jobs-review'],
  },
  {
    name: 'subscriptions to renew',
    makeDue: (count) => sql`update subscriptions set current_period_end = ${past}, next_pull_at = ${past}
      where ${some(sql`subscriptions s`, sql`next_pull_at > now() and status = 'ACTIVE'`, count)}`,
    ticks: ['subscriptions'],
    most: 300,
  },
  {
    name: 'webhook deliveries',
    makeDue: (
      count,
    ) => sql`update webhook_deliveries set status = 'PENDING', next_attempt_at = ${past}, webhook_id = ${webhookId}
      where (tableoid, ctid) in (select tableoid, ctid from webhook_deliveries where status = 'DELIVERED' limit ${count})`,
    ticks: ['webhooks-upkeep'],
    tasks: ['webhook-delivery'],
  },
  {
    name: 'dispatches',
    makeDue: (
      count,
    ) => sql`update agent_dispatches set state = 'PENDING', next_attempt_at = ${past}, give_up_at = now() + interval '1 day'
      where ${some(sql`agent_dispatches`, sql`state = 'DELIVERED'`, count)}`,
    ticks: ['agent-dispatch'],
    tasks: ['agent-dispatch'],
  },
  {
    name: 'agents to probe',
    makeDue: (count) => sql`update agent_connections set next_probe_at = ${past}, url = 'http://127.0.0.1:1/'
      where ${some(sql`agent_connections`, sql`next_probe_at > now()`, count)}`,
    ticks: ['agent-probes'],
  },
  {
    name: 'withdrawals whose signature is over',
    makeDue: (count) => sql`with chosen as (
        select id, intent_id from withdrawals where outcome = 'CONFIRMED' limit ${count}
      ), refused as (
        update intents set status = 'REJECTED', reason = 'The token refused.' where id in (select intent_id from chosen)
      ), reserved as (
        update agent_spends set status = 'RESERVED' where id in (select id from chosen)
      ) update withdrawals set outcome = null, signed_until = now() - interval '1 day' where id in (select id from chosen)`,
    ticks: ['withdrawals'],
  },
  {
    name: 'held payments to claim',
    makeDue: (count) => sql`insert into held_payments (recipient, held_micro, next_try_at)
      select '0xee' || lpad(to_hex(n), 38, '0'), 5000000, ${past} from generate_series(1, ${count}::integer) n
      on conflict (recipient) do update set held_micro = 5000000, next_try_at = ${past}`,
    ticks: ['held-payments'],
  },
  {
    name: 'balance to sweep',
    makeDue: () => sql`with swept as (delete from intents where kind = 'treasury.sweep')
      insert into account_balances (account, amount_micro) values ('wallet:spender', 50000000)
      on conflict (account) do update set amount_micro = 50000000`,
    ticks: ['sweep'],
    most: 1,
  },
  {
    name: 'files that nobody sent',
    makeDue: (
      count,
    ) => sql`update job_files set is_sent = false, hire_place = null, created_at = now() - interval '3 days'
      where ${some(sql`job_files`, sql`is_sent`, count)}`,
    ticks: ['job-files'],
  },
  {
    name: 'files that are kept no longer',
    makeDue: (count) => sql`update job_files set job_ended_at = now() - interval '100 days'
      where ${some(sql`job_files`, sql`is_sent and removed_at is null`, count)}`,
    ticks: ['job-files'],
  },
]

/** What a turn of a task costs where so many are due: it must not matter how many there are beside them. */
export async function measureDue(service: BenchService): Promise<Cost[]> {
  const { db } = service.deps
  const receiver = await startReceiver()
  try {
    const webhookId = await addWebhook(service, receiver.url)
    const costs: Cost[] = []
    for (const { name, makeDue, ticks, tasks = [], most = Number.POSITIVE_INFINITY } of works(webhookId))
      for (const { due, runs } of DUE) {
        const count = Math.min(due, most)
        const prepare = () =>
          // As if it had come to this by time alone: no trigger notes it.
          db.transaction(async (tx) => {
            await tx.run(sql`set local session_replication_role = replica`)
            const made = await tx.run(makeDue(count))
            if (made !== count) throw new Error(`${made} of ${count} ${name} are due`)
          })
        const run = async () => {
          await service.queue.runTicks(ticks)
          await service.queue.runTasks(tasks)
        }
        costs.push(await timeAfter(`${count} ${name}`, prepare, run, runs))
        if (count === most) break
      }
    return costs
  } finally {
    await receiver.close()
  }
}

/** Takes every message at once. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume()
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function addWebhook({ http, tokenOf }: BenchService, url: string): Promise<string> {
  const response = await http.inject({
    method: 'POST',
    url: '/api/webhooks',
    headers: { authorization: await tokenOf(bigSeller) },
    payload: { url },
  })
  if (response.statusCode !== 201)
    throw new Error(`adding a webhook returned ${response.statusCode}: ${response.body}`)
  return response.json().data.id
}
