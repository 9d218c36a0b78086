import type { Database } from '../database.ts'
import { breaksConnection, isStatementTimeout } from '../errors.ts'
import type { Freshness, Replicas } from './replicas.ts'

/** What a reader of public pages is made with. */
export interface ReadSources {
  db: Database
  /** For what may be slow. */
  searchDb: Database
}

/** Reads on a replica that is fresh enough, otherwise on the primary. */
export type ReadFresh<Reader> = <T>(
  freshness: Freshness | undefined,
  read: (reader: Reader) => Promise<T>,
) => Promise<T>

/**
 * Makes a reader for the primary and one for each replica. One read stays on one server. A replica's failure is no
 * answer, and neither is its word that something does not exist: then the primary is read. Only a read that takes too
 * long is not repeated there, because it would take as long.
 */
export function createReads<Reader>(
  replicas: Replicas | undefined,
  primary: ReadSources,
  create: (sources: ReadSources) => Reader,
): ReadFresh<Reader> & { primary: Reader } {
  const onPrimary = create(primary)
  if (!replicas) return Object.assign(read(onPrimary), { primary: onPrimary })
  const readers = new Map(replicas.all.map(({ name, db }) => [name, create({ db, searchDb: db })]))

  const readFresh: ReadFresh<Reader> = async (freshness, work) => {
    const replica = replicas.pick(freshness)
    const reader = replica && readers.get(replica.name)
    if (!replica || !reader) return work(onPrimary)
    try {
      return await work(reader)
    } catch (error) {
      if (isStatementTimeout(error)) throw error
      if (breaksConnection(error)) replicas.setAside(replica)
      return work(onPrimary)
    }
  }
  return Object.assign(readFresh, { primary: onPrimary })
}

const read =
  <Reader>(reader: Reader): ReadFresh<Reader> =>
  (_, work) =>
    work(reader)
