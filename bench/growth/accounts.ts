import type pg from 'pg'
import { rowsFor } from './rows.ts'

/** What there is of each for each agent; there are a tenth as many owners. */
const shares = {
  checks: 0.1,
  apiKeys: 0.1,
  saved: 0.5,
  signIns: 0.1,
  nonces: 0.01,
  reservations: 0.01,
  audited: 0.1,
  gas: 0.1,
  receivers: 0.01,
  arithmetic: 1,
}

/** What owners have and leave behind. To be called without triggers. */
export async function fillAccounts(client: pg.Client, size: number): Promise<void> {
  const { numbers, owner, agent, hash, lately } = rowsFor(size)
  await client.query(`
    insert into kyc_sessions (owner_id, session_id, url, url_expires_at, started_at, last_event_at, last_outcome, entity_type, entity_name)
    select ${owner}, 'ckyc' || n, 'https://example.com', ${lately}, ${lately}, ${lately}, 'VERIFIED', 'INDIVIDUAL', 'Owner ' || n
    from ${numbers(shares.checks)};
    insert into kyc_events (event_id, owner_id, session_id, outcome, created_at, received_at)
    select 'ckycevent' || n, ${owner}, 'ckyc' || n, 'VERIFIED', ${lately}, ${lately} from ${numbers(shares.checks)};
    insert into api_keys (id, owner_id, name, prefix, key_hash, scopes, created_at)
    select 'ckey' || n, ${owner}, 'Key', 'am_' || n, decode(md5(n::text) || md5(n::text), 'hex'), '{read}', ${lately}
    from ${numbers(shares.apiKeys)};
    insert into saved_agents (owner_id, agent_id, saved_at) select ${owner}, ${agent}, ${lately} from ${numbers(shares.saved)};
    insert into used_sign_ins (nonce, expires_at) select ${hash}, now() + interval '1 day' from ${numbers(shares.signIns)};
    insert into auth_nonces (nonce, wallet_address, message, expires_at)
    select md5(n::text), '0xa', 'Sign in.', now() + interval '1 hour' from ${numbers(shares.nonces)};
    insert into agent_reservations (owner_id, request_hash, agent_id, created_at)
    select ${owner}, ${hash}, ${agent}, now() from ${numbers(shares.reservations)};
    insert into audit_log (id, actor_id, action, subject_type, subject_id, details, created_at)
    select 'caudit' || n, ${owner}, 'agent.approved', 'agent', ${agent}, '{}', ${lately} from ${numbers(shares.audited)};
    insert into gas_budget (account, hour, gas) select ${owner}, date_trunc('hour', now()), 100000 from ${numbers(shares.gas)};
    insert into webhooks (id, owner_id, url, events, description, sealed_secret, created_at, is_active, is_direct)
    select 'creceiver' || n, ${owner}, 'https://example.com', '{}', '', '', now(), false, true from ${numbers(shares.receivers)};
    insert into a2a_push_configs (receiver_id, task_id, owner_id, name, scheme, wire_version, created_at)
    select 'creceiver' || n, 'ctask' || n, ${owner}, 'push', 'token', '0.3', ${lately} from ${numbers(shares.receivers)};
    insert into agent_arithmetic (agent_id, arithmetic)
    select ${agent}, jsonb_build_object('reviews', '[]'::jsonb, 'score', 3) from ${numbers(shares.arithmetic)};
    insert into notification_counts (owner_id, listed, unread)
    select owner_id, count(*), count(*) filter (where read_at is null) from notifications where is_listed group by owner_id`)
}
