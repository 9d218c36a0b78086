import type pg from 'pg'
import { OTHER_CHAIN, rowsFor } from './rows.ts'

/** What there is of each for each agent. */
const shares = {
  blocks: 1,
  events: 2,
  funded: 0.2,
  hashes: 1,
  spends: 0.5,
  withdrawals: 0.2,
  held: 0.01,
  reported: 0.2,
  reports: 0.1,
  permissions: 0.1,
  pulls: 0.3,
  walletKeys: 1,
  traced: 0.1,
  found: 0.001,
  feedback: 0.5,
}

/** The signed permission of each subscription: 30 days, from two months ago, for years. */
const permission = `jsonb_build_object('account', '0x' || lpad(to_hex(n), 40, '0'), 'spender', '0x' || repeat('a', 40),
  'token', '0x' || repeat('b', 40), 'allowance', '5000000', 'period', 2592000,
  'start', extract(epoch from now())::bigint - 5184000, 'end', extract(epoch from now())::bigint + 100000000,
  'salt', n::text, 'extraData', '0x')`

/** What the chain and payments leave behind, concluded. To be called without triggers. */
export async function fillMoney(client: pg.Client, size: number): Promise<void> {
  const { numbers, owner, agent, job, wallet, hash, lately } = rowsFor(size)
  const subscriptions = Math.max(1, Math.round(size * shares.permissions))
  await client.query(`
    insert into chain_blocks (chain_id, number, hash, parent_hash, time)
    select ${OTHER_CHAIN}, n, ${hash}, '0x' || md5((n - 1)::text), ${lately} from ${numbers(shares.blocks)};
    insert into chain_events (chain_id, tx_hash, log_index, block_number, block_hash, block_time, name, subject, args)
    select ${OTHER_CHAIN}, '0x' || md5((n / 2)::text) || md5((n / 2)::text), n % 2, n / 2, '0x' || md5((n / 2)::text), ${lately},
      case n % 2 when 0 then 'AuthorizationUsed' else 'UsdcTransferred' end, ${wallet},
      jsonb_build_object('from', ${wallet}, 'to', '0xa', 'amountMicro', jsonb_build_object('bigint', '5000000'))
    from ${numbers(shares.events)};
    insert into chain_events (chain_id, tx_hash, log_index, block_number, block_hash, block_time, name, subject, args)
    select ${OTHER_CHAIN}, ${hash}, 2, n, '0x' || md5(n::text), ${lately}, 'JobFunded', ${hash},
      jsonb_build_object('amountMicro', jsonb_build_object('bigint', '150000000'))
    from ${numbers(shares.funded)};
    insert into chain_transaction_hashes (chain_id, hash, sender, nonce, intent_id)
    select ${OTHER_CHAIN}, ${hash}, '0xbench', n, 'cintent' || n from ${numbers(shares.hashes)};
    insert into agent_spends (id, agent_id, purpose, amount_micro, status, reserved_at)
    select 'cspend' || n, ${agent}, 'withdrawal', 1000000, 'SPENT', ${lately} from ${numbers(shares.spends)};
    insert into intents (id, kind, key, payload, sender, finality, status, created_at, tx_hash, block_number, block_hash, is_final)
    select 'cwintent' || n, 'withdrawal', 'withdrawal:cspend' || n || ':1', jsonb_build_object('withdrawalId', 'cspend' || n,
      'walletId', 'wallet-' || n, 'from', ${wallet}, 'to', '0xa', 'amountMicro', '1000000'), 'operator', 'confirmed', 'SETTLED', ${lately},
      ${hash}, 1, ${hash}, true
    from ${numbers(shares.withdrawals)};
    insert into journal_entries (id, kind, at, intent_id)
    select 'jwithdrawn' || n, 'withdrawal', ${lately}, 'cwintent' || n from ${numbers(shares.withdrawals)};
    insert into journal_postings
    select 'jwithdrawn' || n, account, amount from ${numbers(shares.withdrawals)}
      cross join lateral (values ('outside:world', 1000000), ('wallet:' || ${wallet}, -1000000)) posting (account, amount);
    insert into withdrawals (id, owner_id, agent_id, to_address, amount_micro, intent_id, attempts, outcome, created_at, signed_until,
      authorization_nonce)
    select 'cspend' || n, ${owner}, ${agent}, '0xa', 1000000, 'cwintent' || n, 1, 'CONFIRMED', ${lately}, ${lately}, ${hash}
    from ${numbers(shares.withdrawals)};
    insert into held_payments (recipient, held_micro) select ${wallet}, 0 from ${numbers(shares.held)};
    insert into x402_transactions (id, owner_id, agent_id, payee_owner_id, chain_id, tx_id, tx_key, payer_wallet, payee_wallet,
      amount_micro, service_name, verification, log_index, created_at)
    select 'creported' || n, ${owner}, ${agent}, ${owner}, ${OTHER_CHAIN}, ${hash}, ${hash}, ${wallet}, '0xa', 5000000, 'Search',
      'VERIFIED', 0, ${lately}
    from ${numbers(shares.reported)};
    insert into x402_reports (log_id, owner_id, service_name, created_at)
    select 'creported' || n, ${owner}, 'Search', ${lately} from ${numbers(shares.reports)};
    insert into spend_permissions (hash, subscription_id, owner_id, permission, signature, price_micro, created_at)
    select '0xsub' || n, 'csub' || n, subscriptions.owner_id, ${permission}, '0x', 5000000, ${lately}
    from ${numbers(shares.permissions)} join subscriptions on subscriptions.id = 'csub' || n;
    insert into subscription_pulls (id, subscription_id, permission_hash, kind, period_start, period_end, amount_micro, status,
      intent_id, settled_at, created_at)
    select 'cpull' || n, 'csub' || 1 + n % ${subscriptions}, '0xsub' || 1 + n % ${subscriptions},
      'RENEWAL', n, n + 2592000, 5000000, 'SETTLED', 'cintent' || n, now(), ${lately}
    from ${numbers(shares.pulls)};
    insert into agent_wallet_keys (agent_id, address, sealed_key)
    select ${agent}, '0x' || lpad(to_hex(n), 40, '0'), repeat('s', 120) from ${numbers(shares.walletKeys)};
    insert into traced_wallets (address, since_block) select '0xcc' || lpad(to_hex(n), 38, '0'), 0 from ${numbers(shares.traced)};
    insert into public_wallets (wallet) select '0xdd' || lpad(to_hex(n), 38, '0') from ${numbers(shares.found)};
    insert into feedback_documents (hash, body)
    select ${hash}, '{"rating": 5, "job": "' || ${job} || '"}' from ${numbers(shares.feedback)}`)
}
