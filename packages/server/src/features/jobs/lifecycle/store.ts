import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { JobRow } from './job.ts'
import type { Hire } from './rules.ts'

export const jobColumns = sql`
  jobs.id, jobs.agent_id, jobs.client_id, jobs.seller_id, jobs.client_wallet, jobs.seller_wallet, jobs.agent_wallet,
  jobs.title, jobs.description, jobs.category, jobs.attachments, jobs.payment_method, jobs.price_micro,
  jobs.fee_micro, jobs.net_micro, jobs.aml_flagged, jobs.counts, jobs.deadline_at, jobs.created_at, jobs.status,
  jobs.decided_status, jobs.decisions, jobs.open_intents, jobs.deposit_intent, jobs.fund_by, jobs.due_at,
  jobs.review_ends_at, jobs.undecided_at, jobs.change_requests, jobs.deadline_told, jobs.delivery_cid, jobs.ended_at,
  jobs.escrow_key, jobs.escrow_facts, jobs.service_id, jobs.delivery_hours, jobs.buyer_protection,
  jobs.needs_acceptance, jobs.paid_in_call, jobs.paid_at, jobs.payer_wallet, jobs.owed_at, jobs.undelivered, jobs.refund_state,
  jobs.refund_tx_hash, jobs.refunded_at`

/** Agent, seller and client of each pair, by its place; a pair with an agent that is not there is left out. */
export async function findHires(
  db: Queryable,
  pairs: readonly { agentId: string; clientId: string; serviceId?: string | undefined }[],
): Promise<Map<number, Hire>> {
  const rows = await db.rows<Hire & { place: number }>(sql`
    select given.place::integer, agents.id as agent_id, agents.wallet_address as agent_wallet,
      agents.name as agent_name, agents.approval_status, agents.paused_by is not null as is_paused,
      agents.owner_id as seller_id, seller.wallet_address as seller_wallet, agents.owner_active as seller_is_active,
      client.wallet_address as client_wallet, agents.custom_orders, service.price_micro as service_price_micro,
      service.delivery_hours as service_delivery_hours,
      agents.service_terms -> given.service_id as service_terms
    from unnest(${pairs.map(({ agentId }) => agentId)}::text[], ${pairs.map(({ clientId }) => clientId)}::text[],
      ${pairs.map(({ serviceId }) => serviceId ?? null)}::text[])
      with ordinality as given (agent_id, client_id, service_id, place)
    join agents on agents.id = given.agent_id
    join owners seller on seller.id = agents.owner_id
    join owners client on client.id = given.client_id
    left join lateral (
      select (offer ->> 'priceMicro')::bigint as price_micro, (offer ->> 'deliveryHours')::integer as delivery_hours
      from jsonb_array_elements(agents.services) offer where offer ->> 'id' = given.service_id) service on true`)
  return new Map(rows.map(({ place, ...hire }) => [place - 1, hire]))
}

export interface UnpaidPair {
  clientId: string
  sellerId: string
}

/** Lets transactions that open jobs for one of these buyers pass one at a time. In one order, so that none wait for each other. */
export async function lockBuyers(tx: Queryable, clientIds: readonly string[]): Promise<void> {
  const keys = [...new Set(clientIds)].sort().map((id) => `opens-jobs:${id}`)
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`,
  )
}

/** The unpaid jobs of each buyer, in all and with the seller, counted up to a limit; not those whose payment came with them. */
export function countUnpaid(
  db: Queryable,
  pairs: readonly UnpaidPair[],
  upTo: number,
): Promise<(UnpaidPair & { ofBuyer: number; ofPair: number })[]> {
  return db.rows(sql`
    select given.client_id, given.seller_id,
      (select count(*) from (select 1 from jobs
        where client_id = given.client_id and status = 'PENDING' and not paid_in_call limit ${upTo}) found)::integer as "ofBuyer",
      (select count(*) from (select 1 from jobs
        where client_id = given.client_id and seller_id = given.seller_id and status = 'PENDING'
          and not paid_in_call limit ${upTo}) found)::integer as "ofPair"
    from (select distinct * from unnest(${pairs.map(({ clientId }) => clientId)}::text[],
      ${pairs.map(({ sellerId }) => sellerId)}::text[]) as pair (client_id, seller_id)) given`)
}

/** The jobs and the first line of their timelines, in one statement. Columns travel as arrays, so that no row repeats their names. */
export async function insertJobs(
  db: Queryable,
  jobs: readonly (JobRow & { eventId: string })[],
): Promise<void> {
  const all = <Key extends keyof (typeof jobs)[number]>(key: Key) => jobs.map((job) => job[key])
  await db.run(sql`
    with given as (
      select * from unnest(${all('id')}::text[], ${all('agentId')}::text[], ${all('clientId')}::text[],
        ${all('sellerId')}::text[], ${all('clientWallet')}::text[], ${all('sellerWallet')}::text[],
        ${all('agentWallet')}::text[], ${all('title')}::text[], ${all('description')}::text[],
        ${all('category')}::text[], ${jobs.map(({ attachments }) => sql.json(attachments))}::jsonb[],
        ${all('paymentMethod')}::text[], ${all('priceMicro')}::bigint[], ${all('feeMicro')}::bigint[],
        ${all('netMicro')}::bigint[], ${all('amlFlagged')}::boolean[], ${all('counts')}::boolean[],
        ${all('deadlineAt')}::timestamptz[], ${all('createdAt')}::timestamptz[], ${all('fundBy')}::timestamptz[],
        ${all('dueAt')}::timestamptz[], ${all('escrowKey')}::text[], ${jobs.map(factsOf)}::jsonb[],
        ${all('serviceId')}::text[], ${all('deliveryHours')}::integer[], ${all('buyerProtection')}::boolean[],
        ${all('needsAcceptance')}::boolean[], ${all('paidInCall')}::boolean[], ${all('eventId')}::text[])
      as given (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
        category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, deadline_at,
        created_at, fund_by, due_at, escrow_key, escrow_facts, service_id, delivery_hours, buyer_protection,
        needs_acceptance, paid_in_call, event_id)
    ), opened as (
      insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title,
        description, category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts,
        deadline_at, created_at, fund_by, due_at, escrow_key, escrow_facts, service_id, delivery_hours,
        buyer_protection, needs_acceptance, paid_in_call)
      select id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
        category, array(select jsonb_array_elements_text(attachments)), payment_method, price_micro, fee_micro,
        net_micro, aml_flagged, counts, deadline_at, created_at, fund_by, due_at, escrow_key, escrow_facts, service_id,
        delivery_hours, buyer_protection, needs_acceptance, paid_in_call
      from given
    )
    insert into job_events (id, job_id, type, actor, created_at)
    select event_id, id, 'JOB_CREATED', 'CLIENT', created_at from given`)
}

const factsOf = ({ escrowFacts }: JobRow): string | null =>
  escrowFacts === null ? null : sql.json(escrowFacts)

export function findJob(db: Queryable, id: string): Promise<JobRow | undefined> {
  return db.maybeOne(sql`select ${jobColumns} from jobs where id = ${id}`)
}

/** Reads the job and keeps every other decision about it waiting. */
export function lockJob(db: Queryable, id: string): Promise<JobRow | undefined> {
  return db.maybeOne(sql`select ${jobColumns} from jobs where id = ${id} for no key update`)
}

/** A second request with the same reservation waits here until the first one's job is there, or is not going to be. */
export async function lockJobId(tx: Queryable, id: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`job:${id}`}, 0))`)
}

export function lockJobByKey(db: Queryable, escrowKey: string): Promise<JobRow | undefined> {
  return db.maybeOne(sql`select ${jobColumns} from jobs where escrow_key = ${escrowKey} for no key update`)
}

/** The job that has this key in the escrow, and not one that a stranger's deposit only names. */
export async function findJobIdByKey(db: Queryable, escrowKey: string): Promise<string | undefined> {
  const row = await db.maybeOne<{ id: string }>(sql`select id from jobs where escrow_key = ${escrowKey}`)
  return row?.id
}

/** Writes back all that may change of a job that is locked. */
export async function saveJob(db: Queryable, job: JobRow): Promise<void> {
  await db.run(sql`
    update jobs set status = ${job.status}, decided_status = ${job.decidedStatus}, decisions = ${job.decisions},
      open_intents = ${job.openIntents}, deposit_intent = ${job.depositIntent}, counts = ${job.counts},
      due_at = ${job.dueAt}, review_ends_at = ${job.reviewEndsAt}, undecided_at = ${job.undecidedAt},
      change_requests = ${job.changeRequests}, deadline_told = ${job.deadlineTold}, delivery_cid = ${job.deliveryCid},
      ended_at = ${job.endedAt}, escrow_facts = ${factsOf(job)}, fund_by = ${job.fundBy},
      needs_acceptance = ${job.needsAcceptance}, paid_at = ${job.paidAt}, payer_wallet = ${job.payerWallet},
      owed_at = ${job.owedAt}, undelivered = ${job.undelivered}, refund_state = ${job.refundState},
      refund_tx_hash = ${job.refundTxHash}, refunded_at = ${job.refundedAt}
    where id = ${job.id}`)
}

/** When the jobs of an agent were due that count against it. */
export async function listUndelivered(db: Queryable, agentId: string): Promise<Date[]> {
  const rows = await db.rows<{ at: Date }>(
    sql`select owed_at as at from jobs where agent_id = ${agentId} and undelivered order by owed_at`,
  )
  return rows.map(({ at }) => at)
}
