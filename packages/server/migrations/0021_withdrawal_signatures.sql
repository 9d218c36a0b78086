-- A signed withdrawal can be sent by anyone who has seen it, until its time is over: it stays reserved until then, and a
-- use of its authorization counts whenever it comes.
alter table withdrawals add column signed_until timestamptz;
alter table withdrawals add column authorization_nonce text;
update withdrawals set authorization_nonce = '0x' || encode(sha256(convert_to('withdrawal:' || id, 'UTF8')), 'hex');
alter table withdrawals alter column authorization_nonce set not null;
create unique index withdrawals_authorization on withdrawals (authorization_nonce);
create index chain_transaction_hashes_intent on chain_transaction_hashes (intent_id);
