import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Account } from '../books/accounts.ts'

export interface WatchedWallet {
  /** In lower case. */
  address: string
  account: Account
}

/** From now on the books follow all USDC of these wallets. In the transaction that makes a wallet known to anybody. */
export async function watchWallets(db: Queryable, wallets: readonly WatchedWallet[]): Promise<void> {
  await db.run(sql`
    insert into watched_wallets (address, account)
    select lower(w.address), w.account from unnest(${wallets.map(({ address }) => address)}::text[],
      ${wallets.map(({ account }) => account)}::text[]) as w (address, account)
    on conflict do nothing`)
}

/** Those that wait to be taken up, the oldest first. */
export function listNewWallets(db: Queryable, limit: number): Promise<WatchedWallet[]> {
  return db.rows(sql`
    select address, account from watched_wallets where since_block is null order by created_at, address limit ${limit}`)
}

type WalletTable = 'watched_wallets' | 'traced_wallets'

/** A wallet that was taken up, or forgotten, and the version of the set that this made. */
export interface ChangedWallet {
  address: string
  isFollowed: boolean
  changedIn: bigint
}

/** Those that have changed after this version of the set. */
export const listChangedWallets = (
  db: Queryable,
  table: WalletTable,
  version: bigint,
): Promise<ChangedWallet[]> =>
  db.rows(sql`
    select address, since_block is not null as "isFollowed", changed_in from ${sql.ident(table)}
    where changed_in > 0 and changed_in > ${version}`)

export async function listFollowed(db: Queryable, table: WalletTable): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(
    sql`select address from ${sql.ident(table)} where since_block is not null`,
  )
  return rows.map(({ address }) => address)
}

/** Whether the indexer reads the transfers from and to this wallet, or is about to. */
export async function isWatched(db: Queryable, address: string): Promise<boolean> {
  const row = await db.maybeOne(
    sql`select 1 as watched from watched_wallets where address = ${address.toLowerCase()}`,
  )
  return row !== undefined
}

/** From which block on each followed wallet is in the books. */
export async function listFollowedSince(db: Queryable): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ address: string; sinceBlock: bigint }>(sql`
    select address, since_block from watched_wallets where since_block is not null`)
  return new Map(rows.map(({ address, sinceBlock }) => [address, sinceBlock]))
}

/** All followed wallets, where there are at most so many. */
export async function listFewFollowed(db: Queryable, limit: number): Promise<string[] | undefined> {
  const rows = await db.rows<{ address: string }>(
    sql`select address from watched_wallets where since_block is not null limit ${limit + 1}`,
  )
  return rows.length > limit ? undefined : rows.map(({ address }) => address)
}

/** Of these wallets, those that are followed, in lower case, and from which block on they are in the books. */
export async function findFollowedSince(
  db: Queryable,
  addresses: readonly string[],
): Promise<Map<string, bigint>> {
  const lower = [...new Set(addresses.map((address) => address.toLowerCase()))]
  const rows = await db.rows<{ address: string; sinceBlock: bigint }>(sql`
    select address, since_block from watched_wallets
    where address = any(${lower}::text[]) and since_block is not null`)
  return new Map(rows.map(({ address, sinceBlock }) => [address, sinceBlock]))
}

/** They are read together with everything else from now on; blocks that were being read without them do not count. */
export async function markFollowed(
  db: Queryable,
  { chainId, addresses, sinceBlock }: { chainId: number; addresses: string[]; sinceBlock: bigint },
): Promise<void> {
  const version = await renewWatchVersion(db, chainId)
  await db.run(sql`
    update watched_wallets set since_block = ${sinceBlock}, changed_in = ${version}
    where address = any(${addresses}::text[])`)
}

/** A fork below the block from which a wallet was followed: what it brought along then has to be found out again. */
export async function forgetFollowedAbove(
  db: Queryable,
  { chainId, blockNumber }: { chainId: number; blockNumber: bigint },
): Promise<void> {
  const isAbove = sql`since_block > ${blockNumber}`
  const row = await db.maybeOne(sql`select 1 as found from watched_wallets where ${isAbove} limit 1`)
  if (row === undefined) return
  const version = await renewWatchVersion(db, chainId)
  await db.run(sql`update watched_wallets set since_block = null, changed_in = ${version} where ${isAbove}`)
}

/** Locks the cursor until the transaction ends, so that versions are seen in their order. */
export async function renewWatchVersion(db: Queryable, chainId: number): Promise<bigint> {
  const { version } = await db.one<{ version: bigint }>(sql`
    update chain_cursors set watch_version = watch_version + 1 where chain_id = ${chainId}
    returning watch_version as version`)
  return version
}

/** Which of these are watched, taken up or not. In lower case. */
export async function listKnownAmong(db: Queryable, addresses: readonly string[]): Promise<Set<string>> {
  const lower = [...new Set(addresses.map((address) => address.toLowerCase()))]
  const rows = await db.rows<{ address: string }>(
    sql`select address from watched_wallets where address = any(${lower}::text[])`,
  )
  return new Set(rows.map(({ address }) => address))
}
