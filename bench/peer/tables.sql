-- The peer's own tables, with what is in ours and with the indexes that its schema names.
drop schema if exists peer cascade;
create schema peer;
create table peer.owners as select id, wallet_address, created_at from owners;
alter table peer.owners add primary key (id);
create table peer.agents as
  select id, owner_id, wallet_address, name, description, category, avatar_url, hourly_rate_micro, skills, services,
    lowest_price_micro, x402_enabled, approval_status, paused_by, listed, average_rating, review_count, total_jobs,
    total_earned_micro, created_at
  from agents;
alter table peer.agents add primary key (id), add foreign key (owner_id) references peer.owners;
create unique index on peer.agents (wallet_address);
create index on peer.agents (created_at desc, id desc);
create index on peer.agents (average_rating desc);
create index on peer.agents (category, average_rating desc);
create table peer.reviews (
  id text primary key, agent_id text not null references peer.agents, job_id text not null, rating integer not null,
  comment text, created_at timestamptz not null);
create index on peer.reviews (agent_id, created_at);
create table peer.jobs (
  id text primary key, agent_id text not null, client_id text not null, seller_id text not null, title text not null,
  description text not null, category text not null, status text not null, payment_method text not null,
  price_micro bigint not null, fee_micro bigint not null, net_micro bigint not null, deadline_at timestamptz,
  created_at timestamptz not null default now());
create index on peer.jobs (client_id, created_at);
create index on peer.jobs (seller_id, created_at);
create index on peer.jobs (agent_id, created_at);
create table peer.job_events (
  id text primary key, job_id text not null, type text not null, actor text not null,
  created_at timestamptz not null default now());
create index on peer.job_events (job_id);
create table peer.notifications (
  id text primary key, owner_id text not null, type text not null, title text not null, message text not null,
  link text not null, read_at timestamptz, created_at timestamptz not null default now());
create index on peer.notifications (owner_id, created_at);
create table peer.outbox (
  id text primary key, type text not null, payload jsonb not null, sent_at timestamptz,
  created_at timestamptz not null default now());
create index on peer.outbox (sent_at, created_at);
