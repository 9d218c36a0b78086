import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { type ChangedWallet, listChangedWallets, listFollowed, renewWatchVersion } from './watched-wallets.ts'

/** Those that wait to be taken up, the oldest first. */
export async function listNewTraced(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(sql`
    select address from traced_wallets where since_block is null order by created_at, address limit ${limit}`)
  return rows.map(({ address }) => address)
}

/** They are read together with everything else from now on; blocks that were being read without them do not count. */
export async function markTraced(
  db: Queryable,
  { chainId, addresses, sinceBlock }: { chainId: number; addresses: string[]; sinceBlock: bigint },
): Promise<void> {
  const version = await renewWatchVersion(db, chainId)
  await db.run(sql`
    update traced_wallets set since_block = ${sinceBlock}, changed_in = ${version}
    where address = any(${addresses}::text[])`)
}

/**
 * Whose transfers are read: the watched, whose signed authorizations count too, and the traced. The journal does not keep
 * the books of the traced, which are buyers and sellers; triggers on what people pay and sell add to them.
 */
export interface ReadWallets {
  all: ReadonlySet<string>
  watched: ReadonlySet<string>
}

/**
 * The lists are long: they are read once, and then what has changed in them with each version. They are read whole again
 * where a version left no trace: a worker of the release before does not note what it changed.
 */
export function createReadWallets(db: Queryable): (version: bigint) => Promise<ReadWallets> {
  let [all, watched, traced] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let known: bigint | undefined

  const readWhole = async (): Promise<void> => {
    const [ofBooks, ofGraph] = await Promise.all([
      listFollowed(db, 'watched_wallets'),
      listFollowed(db, 'traced_wallets'),
    ])
    watched = new Set(ofBooks)
    traced = new Set(ofGraph)
    all = new Set([...ofBooks, ...ofGraph])
  }

  const follow = (wallets: Set<string>, changed: readonly ChangedWallet[]): void => {
    for (const { address, isFollowed } of changed) {
      if (isFollowed) wallets.add(address)
      else wallets.delete(address)
      if (watched.has(address) || traced.has(address)) all.add(address)
      else all.delete(address)
    }
  }

  /** Returns whether every version since the known one is accounted for. */
  const readChanges = async (since: bigint, version: bigint): Promise<boolean> => {
    const [ofBooks, ofGraph] = await Promise.all([
      listChangedWallets(db, 'watched_wallets', since),
      listChangedWallets(db, 'traced_wallets', since),
    ])
    const versions = [...ofBooks, ...ofGraph].map(({ changedIn }) => changedIn)
    const noted = new Set(versions.filter((changedIn) => changedIn <= version))
    if (BigInt(noted.size) !== version - since) return false
    follow(watched, ofBooks)
    follow(traced, ofGraph)
    return true
  }

  return async (version) => {
    if (known !== version) {
      const isComplete = known !== undefined && (await readChanges(known, version))
      if (!isComplete) await readWhole()
      known = version
    }
    return { all, watched }
  }
}
