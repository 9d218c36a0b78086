import type pg from 'pg'
import { agentIdOf } from '../agents-seed.ts'
import { rowsFor } from './rows.ts'

/** A tenth of all reviews are of this agent. */
export const REVIEWED_AGENT = 500
/** The agents up to here are hired while it is measured: a review would have to agree with their ratings. */
const HIRED_AGENTS = 400

/** What there is of each for each agent, which has one job. */
const shares = {
  agreements: 0.2,
  deliveries: 1,
  progress: 2,
  files: 0.5,
  contents: 1,
  disputes: 0.01,
  rulings: 0.001,
  flags: 0.001,
  reviews: 0.5,
  orders: 0.2,
  connections: 0.2,
  dispatches: 0.5,
  tasks: 0.1,
  trials: 0.001,
  questions: 0.1,
}

/** What jobs leave behind: deliveries, progress, files, reviews, calls of agents, and the few disputes. To be called without triggers. */
export async function fillWork(client: pg.Client, size: number): Promise<void> {
  const { numbers, owner, agent, job, hash, cid, lately } = rowsFor(size)
  const connected = Math.round(size * shares.connections)
  await client.query(`
    insert into job_agreements (job_id, input) select ${job}, '{"month": "2026-10"}' from ${numbers(shares.agreements)};
    insert into job_deliveries (job_id, cid, content, note, delivered_at)
    select ${job}, ${cid}, 'Three transfers are missing: 204, 381 and 977.', 'Done.', ${lately} from ${numbers(shares.deliveries)};
    insert into job_progress (id, job_id, step, percent, note, created_at)
    select 'cprogress' || n, 'cjob' || lpad((1 + n / 2)::text, 21, '0'), 'Matching', 50, 'Half of them', ${lately}
    from ${numbers(shares.progress)};
    insert into stored_files (cid, size_bytes, stored_at) select ${cid}, 20000, ${lately} from ${numbers(shares.contents)};
    insert into file_owners (cid, owner_id) select ${cid}, ${owner} from ${numbers(shares.contents)};
    insert into file_uploads (owner_id, size_bytes, uploaded_at) select ${owner}, 20000, ${lately} from ${numbers(shares.files)};
    insert into job_files (id, job_id, owner_id, brought_by, name, media_type, size_bytes, cid, dag_bytes, is_sent,
      hire_place, created_at, job_ended_at)
    select 'cfile' || n, ${job}, ${owner}, case n % 2 when 0 then 'CLIENT' else 'SELLER' end, 'report.pdf', 'application/pdf', 20000,
      ${cid}, 20100, true, case n % 2 when 0 then 0 end, ${lately}, now()
    from ${numbers(shares.files)};
    insert into job_disputes (job_id, opened_by, reason, opened_at, seller_bps)
    select ${job}, 'CLIENT', 'Half of it is missing.', ${lately}, 5000 from ${numbers(shares.disputes)};
    insert into job_evidence (job_id, given_by, reason, uris, created_at)
    select ${job}, 'CLIENT', 'As agreed.', '{}', ${lately} from ${numbers(shares.disputes)};
    insert into job_exclusions (job_id, agent_id, reason)
    select ${job}, ${agent}, 'SHARED_FUNDER' from ${numbers(shares.disputes)};
    insert into ruling_proposals (id, job_id, escrow_key, seller_bps, safe_nonce, safe_tx_hash, threshold, status, proposed_by, created_at)
    select 'cruling' || n, ${job}, ${hash}, 5000, n, ${hash}, 2, 'EXECUTED', ${owner}, ${lately} from ${numbers(shares.rulings)};
    insert into ruling_confirmations (proposal_id, safe_owner, signature, created_at)
    select 'cruling' || n, '0xa', '0x', ${lately} from ${numbers(shares.rulings)};
    insert into aml_flags (id, job_id, owner_id, amount_micro, note, created_at, resolved_at)
    select 'cflag' || n, ${job}, ${owner}, 5000000, 'Nothing was wrong.', ${lately}, now() from ${numbers(shares.flags)};
    insert into reviews (id, job_id, agent_id, client_id, rating, comment, counted, created_at, seller_id)
    select 'creview' || n, jobs.id, case when n % 10 = 0 then '${agentIdOf(REVIEWED_AGENT)}' else jobs.agent_id end,
      jobs.client_id, 1 + n % 5, 'Thank you.', n % 20 > 0, ${lately}, jobs.seller_id
    from ${numbers(shares.reviews)} join jobs on jobs.id = 'cjob' || lpad((2 * n)::text, 21, '0')
    where jobs.agent_id > '${agentIdOf(HIRED_AGENTS)}' or n % 10 = 0;
    insert into service_orders (job_id, owner_id, payer, fingerprint, payment_identifier, created_at)
    select ${job}, ${owner}, '0xc', md5(n::text), 'order-' || n, ${lately} from ${numbers(shares.orders)};
    insert into agent_connections (agent_id, kind, url, created_at, next_probe_at)
    select ${agent}, 'A2A', 'https://example.com/a2a', ${lately}, now() + interval '1 day' from ${numbers(shares.connections)};
    insert into agent_dispatches (id, agent_id, job_id, round, state, attempts, response_status, token_hash, give_up_at, created_at)
    select 'cdispatch' || n, 'c' || lpad((1 + n % ${connected})::text, 24, '0'), ${job}, 1, 'DELIVERED', 1, 200, md5(n::text),
      ${lately} + interval '1 hour', ${lately}
    from ${numbers(shares.dispatches)};
    insert into agent_tasks (dispatch_id, task_id, is_live) select 'cdispatch' || n, 'task-' || n, false from ${numbers(shares.tasks)};
    insert into connection_trials (job_id, agent_id, token_hash, room_bytes, expires_at)
    select 'ctrial' || n, ${agent}, 'trial-' || n, 0, now() + interval '1 hour' from ${numbers(shares.trials)};
    insert into agent_questions (id, agent_id, asker_id, text, created_at, reply, replied_at)
    select 'cquestion' || n, ${agent}, ${owner}, 'Do you read PDF?', ${lately}, 'Yes.', now() from ${numbers(shares.questions)}`)
}
