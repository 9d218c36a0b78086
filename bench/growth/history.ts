import type pg from 'pg'
import { OTHER_CHAIN, rowsFor } from './rows.ts'

/** What there is of each for each agent: work that is over, and that recurring tasks have to pass over. */
const shares = {
  keys: 1,
  requests: 2,
  sessions: 1,
  intents: 1,
  flows: 1,
  payments: 1,
  tasks: 0.1,
  grants: 0.1,
  views: 1,
  messages: 1,
}

/** Rows of the last day and week that no task is due for. To be called without triggers. */
export async function fillHistory(client: pg.Client, size: number): Promise<void> {
  const { numbers, owner, job, wallet, hash, lately } = rowsFor(size)
  await client.query(`
    insert into idempotency_keys (owner_id, key, fingerprint, status, answer, created_at)
    select ${owner}, 'key-' || n, md5(n::text), 201, '{"success": true}', ${lately} from ${numbers(shares.keys)};
    insert into request_log (id, owner_id, request_id, method, path, status, duration_ms, caller_kind, caller_id, created_at)
    select 'crequest' || n, ${owner}, 'req_' || n, 'GET', '/api/jobs', 200, 3, 'API_KEY', 'ckey' || n % 1000,
      now() - n % 500000 * interval '1 second'
    from ${numbers(shares.requests)};
    insert into sessions (id, owner_id, created_at, expires_at)
    select 'csession' || n, ${owner}, ${lately}, now() + interval '1 day' from ${numbers(shares.sessions)};
    insert into intents (id, kind, key, payload, sender, finality, status, created_at, tx_hash, block_number, block_hash, is_final)
    select 'cintent' || n, 'x402', 'key ' || n, '{}', 'operator', 'confirmed', 'SETTLED', ${lately}, ${hash}, 1,
      ${hash}, true
    from ${numbers(shares.intents)};
    insert into chain_transactions (chain_id, sender, nonce, intent_id, tx_hash, raw_transaction, gas, max_fee, priority_fee,
      call_to, call_data, status, due_at)
    select ${OTHER_CHAIN}, '0xbench', n, 'cintent' || n, ${hash}, '0x', 1, 1, 1, '0x', '0x', 'MINED', now()
    from ${numbers(shares.intents)};
    insert into wallet_flows (chain_id, tx_hash, log_index, from_wallet, to_wallet, amount_micro, at)
    select ${OTHER_CHAIN}, ${hash}, 0, ${wallet}, '0x' || lpad(to_hex(n), 40, '0'), 5000000, ${lately} from ${numbers(shares.flows)};
    insert into x402_payments (id, chain_id, token, payer, nonce, pay_to, amount_micro, valid_after, valid_before, signature,
      offer, purpose, reference, status, tx_hash, since_block, created_at, concluded_at)
    select 'cx402' || n, ${OTHER_CHAIN}, '0x', ${wallet}, ${hash}, '0xa', 5000000, 0, 1, '0x', '{}', 'job', ${job},
      'SETTLED', ${hash}, 1, ${lately}, now()
    from ${numbers(shares.payments)};
    insert into a2a_tasks (id, context_id, agent_wallet, owner_id, message_id, text, job_id, created_at, expires_at)
    select 'ctask' || n, 'ccontext' || n, '0xa', ${owner}, 'm' || n, 'As agreed.', ${job}, ${lately}, now() - interval '1 hour'
    from ${numbers(shares.tasks)};
    insert into a2a_messages (task_id, message_id) select 'ctask' || n, 'm' || n from ${numbers(shares.tasks)};
    insert into budgets (id, owner_id, per_day_micro, created_at)
    select 'cgrant' || n, ${owner}, 50000000, ${lately} from ${numbers(shares.grants)};
    insert into budget_jobs (job_id, budget_id, counted_at)
    select ${job}, 'cgrant' || n, ${lately} from ${numbers(shares.grants)};
    insert into oauth_grants (id, owner_id, client_id, client_name, client_host, resource, scopes, created_at, expires_at)
    select 'cgrant' || n, ${owner}, 'c', 'Client', 'example.com', 'r', '{read}', ${lately}, now() + interval '30 days'
    from ${numbers(shares.grants)};
    insert into oauth_records (model, id_hash, grant_id, payload, created_at, expires_at)
    select 'RefreshToken', decode(md5(n::text), 'hex'), 'cgrant' || n, '{}', ${lately}, now() + interval '30 days'
    from ${numbers(shares.grants)};
    insert into agent_views (agent_id, day, profile_views, hire_forms)
    select 'c' || lpad(n::text, 24, '0'), current_date, 3, 1 from ${numbers(shares.views)};
    insert into job_messages (id, job_id, sender_id, sent_by, text, attachments, created_at)
    select 'cmessage' || n, ${job}, ${owner}, 'CLIENT', 'Thank you.', '{}', ${lately} from ${numbers(shares.messages)}`)
}
