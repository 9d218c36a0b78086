import pg from 'pg'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'
import { agentIdOf, ownerIdIn, ownerIdOf, ownersOf } from '../agents-seed.ts'
import { fillAccounts } from './accounts.ts'
import { BUSY_SHARE, keepBusyDaysInMinutes, payOnOneDay } from './busy-days.ts'
import { checkEveryTable } from './every-table.ts'
import { fillHistory } from './history.ts'
import { fillMoney } from './money.ts'
import { fillWork } from './work.ts'

/** The owner of the agent that has earned most, and that has the most notifications. */
export const bigSeller = ownerIdOf(1)
const bigAgent = agentIdOf(1)
/** At every size: what grows is what they earned. */
const BIG_SELLERS_AGENTS = 10
/** The owner of this many agents, at every size. */
export const manySeller = ownerIdOf(4)
const MANY_AGENTS = 1000
/** The client of a tenth of the jobs, of these agents alone. */
export const bigBuyer = ownerIdOf(3)
const BIG_BUYERS_AGENTS = 50
export const bigBuyersJob = `cjob${'3'.padStart(21, '0')}`
const bigWallet = `0x${(1).toString(16).padStart(40, '0')}`

/** What there is of each for `size` agents. A tenth of the payments is the big seller's; the big buyer's jobs are paid beside them. */
export const shares = {
  jobs: 1,
  entries: 2.5,
  notifications: 5,
  watchedWallets: 1,
  subscriptions: 0.1,
  webhooks: 0.02,
  deliveries: 1,
}

const isBigBuyers = 'n % 10 = 3'
/**
 * Fills the tables that grow with a market: finished jobs and their payments, notifications, wallets that are watched,
 * subscriptions that are not due, webhook deliveries, and what work, money, accounts and calls leave behind. Without
 * triggers, as if all of it had been there for long.
 */
export async function fillAround(connection: Connection, size: number): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const count = (share: number) => Math.round(size * share)
  const ownerOf = (n: string) => ownerIdIn(`(${n}) % ${ownersOf(size)}`)
  try {
    await client.query(`
      set session_replication_role = replica;
      update agents set owner_id = '${ownerIdOf(2)}' where owner_id = '${bigSeller}' and id not in (
        select id from agents where owner_id = '${bigSeller}' order by id limit ${BIG_SELLERS_AGENTS});
      update agents set owner_id = '${manySeller}' where owner_id <> '${bigSeller}' and id in (
        select 'c' || lpad((1000 + n)::text, 24, '0') from generate_series(1, ${MANY_AGENTS}) n);
      insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
        category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, status,
        decided_status, fund_by, ended_at, paid_at, payer_wallet, due_at)
      select 'cjob' || lpad(n::text, 21, '0'), 
        'c' || lpad((1 + case when ${isBigBuyers} then n / 10 % ${BIG_BUYERS_AGENTS} else n % ${size} end)::text, 24, '0'),
        case when ${isBigBuyers} then '${bigBuyer}' else ${ownerOf('n * 7')} end, ${ownerOf('n + 1')}, '0xaa' || lpad(to_hex(n), 38, '0'), '0xab' || lpad(to_hex(n), 38, '0'), '0x' || lpad(to_hex(1 + n % ${size}), 40, '0'), 'Job ' || n, 'As agreed.', 'finance', '{}', 'X402', 5000000, 0, 5000000,
        false, false, now() - n * interval '13 seconds', 'COMPLETED', 'COMPLETED', now(), now(), now(), '0xaa' || lpad(to_hex(n), 38, '0'), now()
      from generate_series(1, ${count(shares.jobs)}) n;
      insert into job_events (id, job_id, type, actor, created_at)
      select 'cevent' || lpad(n::text, 19, '0'), 'cjob' || lpad(n::text, 21, '0'), 'JOB_FUNDED', 'CLIENT', now()
      from generate_series(1, ${count(shares.jobs)}) n;
      insert into journal_entries (id, kind, at)
      select 'jbench' || n, 'x402', now() - n * interval '7 seconds' from generate_series(1, ${count(shares.entries)}) n;
      insert into journal_postings
      select 'jbench' || n, case when n % 10 = 0 then 'wallet:${bigWallet}'
        else 'wallet:0x' || lpad(to_hex(2 + n % ${size}), 40, '0') end, 5000000
      from generate_series(1, ${count(shares.entries)}) n;
      insert into journal_postings
      select 'jbench' || n, 'outside:world', -5000000 from generate_series(1, ${count(shares.entries)}) n;
      ${payOnOneDay(count(BUSY_SHARE))}
      insert into journal_entries (id, kind, at, job_id)
      select 'jpaid' || n, 'x402', now() - n * interval '13 seconds', 'cjob' || lpad(n::text, 21, '0')
      from generate_series(1, ${count(shares.jobs)}) n where ${isBigBuyers};
      insert into journal_postings select e.id, 'wallet:' || jobs.agent_wallet, 5000000
      from journal_entries e join jobs on jobs.id = e.job_id where e.id like 'jpaid%';
      insert into journal_postings select id, 'outside:world', -5000000 from journal_entries where id like 'jpaid%';
      insert into spending_entries (entry_id, owner_id, agent_id, at, seq, kind)
      select e.id, jobs.client_id, jobs.agent_id, e.at, e.seq, e.kind from journal_entries e join jobs on jobs.id = e.job_id;
      insert into spending_days
      select owner_id, (at at time zone 'UTC')::date, 'JOB', agent_id, '-infinity', count(*), count(*) * 5000000, 0
      from spending_entries group by 1, 2, 4;
      insert into account_balances select account, sum(amount_micro) from journal_postings group by account
      on conflict do nothing;
      insert into earning_entries (account, at, seq, entry_id, amount_micro, kind)
      select p.account, e.at, e.seq, e.id, p.amount_micro, e.kind
      from journal_postings p join journal_entries e on e.id = p.entry_id
      where p.amount_micro > 0 on conflict do nothing;
      insert into earning_days
      select account, (at at time zone 'UTC')::date, 'X402', '', false, count(*), count(*) * 5000000, 0, 0
      from earning_entries group by 1, 2;
      ${keepBusyDaysInMinutes}
      insert into notifications (id, seq, owner_id, type, title, message, created_at, read_at)
      select 'cnote' || lpad(n::text, 20, '0'), n, case when n % 10 = 0 then '${bigSeller}' else ${ownerOf('n')} end,
        'JOB_CREATED', 'New job', 'An agent is asked to work.', now(), case when n % 100 > 0 then now() end
      from generate_series(1, ${count(shares.notifications)}) n;
      select setval('notifications_seq', ${count(shares.notifications)} + 1);
      insert into watched_wallets (address, account, since_block)
      select '0xaa' || lpad(to_hex(n), 38, '0'), 'wallet:0xaa' || lpad(to_hex(n), 38, '0'), 0
      from generate_series(1, ${count(shares.watchedWallets)}) n;
      insert into subscriptions (id, owner_id, plan, status, permission_hash, price_micro, current_period_end, next_pull_at,
        created_at)
      select 'csub' || n, ${ownerIdIn('n - 1')}, 'API_ACCESS', 'ACTIVE', '0xsub' || n, 5000000, now() + interval '20 days',
        now() + interval '20 days', now()
      from generate_series(1, ${count(shares.subscriptions)}) n;
      insert into webhooks (id, owner_id, url, events, description, sealed_secret, created_at)
      select 'cwebhook' || n, ${ownerOf('n + 1')}, 'https://example.com', '{}', '', '', now()
      from generate_series(0, ${count(shares.webhooks)} - 1) n;
      insert into webhook_deliveries (id, webhook_id, event_id, event_type, body, status, created_at)
      select 'cdelivery' || n, 'cwebhook' || case when n % 10 = 0 then 0 else n % ${count(shares.webhooks)} end, 'cevent' || n, 'job.created', '{}', 'DELIVERED', now()
      from generate_series(1, ${count(shares.deliveries)}) n;
      update webhooks set is_active = false;
      -- So that a hire of them breaks no rule of the audit.
      update agents set rating_sum = 0, review_count = 0 where id in (select 'c' || lpad(n::text, 24, '0') from generate_series(1, 400) n)`)
    for (const fill of [fillWork, fillMoney, fillAccounts, fillHistory]) await fill(client, size)
    await client.query(`
      set session_replication_role = origin;
      -- All of it was audited long ago.
      truncate audit_changes, unfolded_postings`)
    await client.query('vacuum analyze')
    await checkEveryTable(client)
  } finally {
    await client.end()
  }
}

export const hiredAgents = Array.from({ length: 300 }, (_, index) => agentIdOf(index + 2)).filter(
  (id) => id !== bigAgent,
)
