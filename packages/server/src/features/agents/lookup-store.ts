import type { AgentsRecord } from '../../house/sellers.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type AgentRow, type AgentVersion, agentColumns, type FoundRow, foundColumns } from './store.ts'

/** By wallets in small letters. */
export function findAgentsByWallet(db: Queryable, wallets: string[]): Promise<AgentRow[]> {
  return db.rows(sql`select ${agentColumns} from agents where lower(wallet_address) = any(${wallets})`)
}

/** Versions of what other features show on an agent's page: the same for as long as that is the same. */
export interface PageParts {
  /** Null where there is no history. */
  historyVersion: (agentId: Sql) => Sql
  sellerVersion: (ownerId: Sql) => Sql
}

/**
 * The same for as long as an agent's page shows the same: the transactions that last wrote what is on it. What is read
 * together with it, or after it, is at least as new.
 */
export interface PageVersion {
  rowVersion: string
  historyVersion: string | null
}

export const pageVersionOf = ({ historyVersion, sellerVersion }: PageParts): Sql => sql`
  ${rowVersionOf(sellerVersion)}, ${historyVersion(sql`agents.id`)} as history_version`

const rowVersionOf = (sellerVersion: PageParts['sellerVersion']): Sql => sql`
  concat_ws('.', agents.xmin, ${sellerVersion(sql`agents.owner_id`)},
    (select c.xmin from agent_connections c where c.agent_id = agents.id)) as row_version`

/** The columns of an `AgentVersion`. */
export const versionColumnsOf = (sellerVersion: PageParts['sellerVersion']): Sql =>
  sql`agents.id, ${rowVersionOf(sellerVersion)}`

/** By wallets in small letters. */
export function findVersionedAgents(
  db: Queryable,
  pageVersion: Sql,
  wallets: string[],
): Promise<(AgentRow & PageVersion)[]> {
  return db.rows(sql`
    select ${agentColumns}, ${pageVersion} from agents where lower(wallet_address) = any(${wallets})`)
}

/** By wallets in small letters, which are returned likewise. */
export function findPageVersions(
  db: Queryable,
  pageVersion: Sql,
  wallets: string[],
): Promise<(PageVersion & { wallet: string })[]> {
  return db.rows(sql`
    select lower(wallet_address) as wallet, ${pageVersion} from agents where lower(wallet_address) = any(${wallets})`)
}

export function findAgent(db: Queryable, agentId: string): Promise<AgentRow | undefined> {
  return db.maybeOne(sql`select ${agentColumns} from agents where id = ${agentId}`)
}

export function lockAgent(tx: Queryable, agentId: string): Promise<AgentRow | undefined> {
  return tx.maybeOne(sql`select ${agentColumns} from agents where id = ${agentId} for no key update`)
}

export function lockAgentByWallet(tx: Queryable, wallet: string): Promise<AgentRow | undefined> {
  return tx.maybeOne(sql`
    select ${agentColumns} from agents where lower(wallet_address) = lower(${wallet}) for no key update`)
}

/** The oldest first. */
export function listAgentsOf(db: Queryable, ownerId: string): Promise<AgentRow[]> {
  return db.rows(sql`select ${agentColumns} from agents where owner_id = ${ownerId} order by created_at, id`)
}

/** Those that lists show, the oldest first. */
export function listListedOf(
  db: Queryable,
  versionColumns: Sql,
  { ownerId, limit, offset }: { ownerId: string; limit: number; offset: number },
): Promise<AgentVersion[]> {
  return db.rows(sql`
    select ${versionColumns} from agents where owner_id = ${ownerId} and listed
    order by created_at, id limit ${limit} offset ${offset}`)
}

/** In any order, also those that lists do not show. */
export function listByIds(
  db: Queryable,
  versionColumns: Sql,
  ids: readonly string[],
): Promise<AgentVersion[]> {
  return db.rows(sql`select ${versionColumns} from agents where id = any(${ids}::text[])`)
}

/** In any order. */
export function findSummaryRows(
  db: Queryable,
  versionColumns: Sql,
  ids: readonly string[],
): Promise<(FoundRow & AgentVersion & { listed: boolean })[]> {
  return db.rows(sql`
    select ${foundColumns}, ${versionColumns}, agents.listed from agents where id = any(${ids}::text[])`)
}

export function sumAgentsOf(db: Queryable, ownerId: string): Promise<AgentsRecord> {
  const sumOf = (column: Sql) => sql`coalesce(sum(${column}), 0)::integer`
  return db.one(sql`
    select min(created_at) as first_created_at, count(on_chain_agent_id)::integer as registered_count,
      (count(*) filter (where listed))::integer as listed_count, ${sumOf(sql`rating_sum`)} as rating_sum,
      ${sumOf(sql`review_count`)} as review_count, ${sumOf(sql`completed_jobs`)} as completed_jobs,
      ${sumOf(sql`cancelled_jobs`)} as cancelled_jobs,
      coalesce(sum(settled_volume_micro), 0) as settled_volume_micro,
      ${sumOf(sql`on_time_count`)} as on_time_count, ${sumOf(sql`timed_count`)} as timed_count,
      ${sumOf(sql`delivered_count`)} as delivered_count, ${sumOf(sql`deliverable_count`)} as deliverable_count,
      ${sumOf(sql`dispute_count`)} as dispute_count, ${sumOf(sql`disputable_count`)} as disputable_count
    from agents where owner_id = ${ownerId}`)
}
