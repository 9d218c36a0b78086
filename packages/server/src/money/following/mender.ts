import type { BlockHeader, ChainEvent } from '../../ports/chain/port.ts'
import { dropFoundJobs, listSetAsideJobs, type SetAsideJob, saveSearch } from '../books/set-aside.ts'
import type { MoneyDeps } from '../money-deps.ts'
import { readHeadersOf } from './block-headers.ts'
import { type Cursor, isStillOurs, readCursor } from './cursor-store.ts'
import { recordLate } from './late-events.ts'
import type { Recorder } from './recorder.ts'
import { findOpenReread, type Reread, saveReread } from './reread-store.ts'
import { listFollowedSince } from './watched-wallets.ts'

const JOBS_AT_ONCE = 5
const BLOCKS_AT_ONCE = 20

export interface Mender {
  /** Looks for what the books miss; returns whether there is more to do at once. */
  mend(): Promise<boolean>
}

/** Repairs the books from the chain: jobs that were set aside, and the blocks that a person wants compared again. */
export function createMender(
  { db, chain, log, alert, settings }: Pick<MoneyDeps, 'db' | 'chain' | 'log' | 'alert' | 'settings'>,
  recorder: Pick<Recorder, 'record' | 'undo'>,
): Mender {
  const { reader } = chain
  const { chainId } = chain.facts

  /** Undefined when the chain has meanwhile gone another way: nothing was written, and it is read again. */
  const add = (
    cursor: Cursor,
    found: { events: readonly ChainEvent[]; headers: ReadonlyMap<bigint, BlockHeader> },
    save?: (tx: Parameters<typeof recordLate>[0], added: number) => Promise<void>,
  ): Promise<number | undefined> =>
    db.transaction(async (tx) => {
      if (!(await isStillOurs(tx, chainId, cursor, [...found.headers.values()]))) return undefined
      const added = await recordLate(tx, { recorder, chainId }, found)
      await save?.(tx, added)
      return added
    })

  const searchFor = async (cursor: Cursor, { key, closedBlock, searchedTo }: SetAsideJob): Promise<void> => {
    const job = await reader.getJob(key)
    if (job === undefined) return
    const height = Number(searchedTo - settings.startBlock)
    const fromBlock = searchedTo - BigInt(Math.max(0, Math.min(settings.blockRange - 1, height)))
    const named = await reader.getJobEvents({ key, fromBlock, toBlock: searchedTo })
    const headers = await readHeadersOf(reader, named, [])
    if (headers === undefined) return
    const found = await reader.getBlockEvents({ headers: [...headers.values()], wallets: new Set() })
    const events = found?.filter((event) => 'key' in event && event.key === key)
    if (events === undefined || (await add(cursor, { events, headers })) === undefined) return
    const funded = events.find((event) => event.name === 'JobFunded')
    if (funded === undefined) {
      // At the end it begins again: the node that has the deposit may not have been asked yet.
      const isThrough = fromBlock <= settings.startBlock
      await saveSearch(db, { chainId, key, searchedTo: isThrough ? closedBlock : fromBlock - 1n })
      return
    }
    const { amountMicro } = job.terms
    log.warn({ key, amountMicro: amountMicro.toString() }, 'a job that was set aside is in the books')
    await alert('JOB_RESTORED', {
      key,
      amountMicro: amountMicro.toString(),
      fundedBlock: funded.blockNumber.toString(),
    })
  }

  const compare = async (cursor: Cursor, order: Reread): Promise<boolean> => {
    const toBlock = order.toBlock ?? cursor.blockNumber
    const count = Math.max(0, Math.min(BLOCKS_AT_ONCE, Number(toBlock - order.nextBlock) + 1))
    const asked = Array.from({ length: count }, (_, index) =>
      reader.getBlock(order.nextBlock + BigInt(index)),
    )
    const headers = (await Promise.all(asked)).filter((header) => header !== undefined)
    if (headers.length < count) return false
    const since = await listFollowedSince(db)
    const found = await reader.getBlockEvents({ headers, wallets: new Set(since.keys()) })
    if (found === undefined) return false
    const events = found.filter((event) => isFollowed(event, since))
    const byNumber = new Map(headers.map((header) => [header.number, header]))
    const added = await add(cursor, { events, headers: byNumber }, (tx, addedNow) =>
      saveReread(tx, {
        id: order.id,
        toBlock,
        nextBlock: count === 0 ? toBlock + 1n : order.nextBlock + BigInt(count),
        eventsFound: order.eventsFound + events.length,
        eventsAdded: order.eventsAdded + addedNow,
      }),
    )
    if (added)
      log.warn({ added, fromBlock: order.nextBlock.toString() }, 'events that the books missed were added')
    return added !== undefined
  }

  return {
    async mend() {
      const [jobs, order] = await Promise.all([
        listSetAsideJobs(db, chainId, JOBS_AT_ONCE),
        findOpenReread(db, chainId),
      ])
      if (jobs.length === 0 && order === undefined) return false
      const cursor = await readCursor(db, chainId)
      if (cursor === undefined || cursor.haltedReason !== null) return false
      for (const job of jobs) await searchFor(cursor, job)
      if (jobs.length > 0) await dropFoundJobs(db, chainId)
      return order !== undefined && (await compare(cursor, order))
    },
  }
}

/** What a wallet did before it was followed is in its opening balance. */
function isFollowed(event: ChainEvent, since: ReadonlyMap<string, bigint>): boolean {
  const isAfter = (address: string): boolean => {
    const sinceBlock = since.get(address.toLowerCase())
    return sinceBlock !== undefined && sinceBlock < event.blockNumber
  }
  if (event.name === 'AuthorizationUsed') return isAfter(event.authorizer)
  return event.name !== 'UsdcTransferred' || isAfter(event.from) || isAfter(event.to)
}
