import type { Transaction } from '../../platform/db/transaction.ts'
import type { BlockHeader, ChainEvent } from '../../ports/chain/port.ts'
import { markFinal } from '../intents/intent-store.ts'
import type { MoneyDeps } from '../money-deps.ts'
import { createRoles } from '../roles/roles.ts'
import { readHeadersOf } from './block-headers.ts'
import { createBlockReading } from './block-reading.ts'
import { beginCursor, type Cursor, lockCursor, moveCursor, readCursor, storeBlocks } from './cursor-store.ts'
import { applyOutcomes, freeMissing, type Lookup, lookUpOutcomes, type MinedOutcome } from './outcomes.ts'
import type { Recorder } from './recorder.ts'
import { freePowerless, sortOutcomes } from './role-loss.ts'
import { createRollback } from './rollback.ts'
import { endHalt } from './status.ts'
import { createReadWallets } from './traced-wallets.ts'

export interface Indexer {
  /** Reads on from where it stands, one range at a time; returns whether anything moved. */
  advance(): Promise<boolean>
  /** While it is halted: back to where our blocks and the chain's part, however deep. It stays halted. */
  goBack(): Promise<void>
  /** A person has looked at what halted it. Returns the reason; undefined when there was none. */
  resume(tx: Transaction): Promise<string | undefined>
}

/** What one look at the chain found, checked to be of one piece. */
interface Findings {
  tip: BlockHeader
  headers: Map<bigint, BlockHeader>
  events: ChainEvent[]
  lookup: Lookup
  /** Those of them that no fork takes back any more. */
  powerless: MinedOutcome[]
  finality: { safeNumber: bigint; finalizedNumber: bigint } | undefined
}

/** A node that lags leaves a tag out now and then; one that never serves it leaves it out every time. */
const ALARMING_LOOKS = 50

/**
 * The only writer of what happened on the chain. Events, the journal, the features' handlers and the outcomes of intents
 * go into one database transaction with the cursor, so that each block counts once and as a whole.
 */
export function createIndexer(deps: MoneyDeps, recorder: Pick<Recorder, 'record' | 'undo'>): Indexer {
  const { db, chain, faults, settings, alert, log } = deps
  const { reader } = chain
  const { chainId } = chain.facts
  const blockReading = createBlockReading({ reader, readWallets: createReadWallets(db) })
  const rollback = createRollback(deps, recorder.undo)
  const roles = createRoles(db, chain)

  const begin = async (): Promise<Cursor | undefined> => {
    // The block before the first one of ours: what happens in the escrow's own block counts as well.
    const block = await reader.getBlock(settings.startBlock > 0n ? settings.startBlock - 1n : 0n)
    if (block) await db.transaction((tx) => beginCursor(tx, chainId, block))
    return readCursor(db, chainId)
  }

  /** Undefined when the chain moved under our eyes: the next look will be of one piece. */
  const look = async (cursor: Cursor): Promise<Findings | undefined> => {
    const [blocks, { mined, missing }] = await Promise.all([
      blockReading.readOn(cursor),
      lookUpOutcomes(deps),
    ])
    if (blocks === undefined) return undefined
    const { tip } = blocks
    const toBlock = tip.number
    const { telling, powerless } = await sortOutcomes(
      mined.filter(({ blockNumber }) => blockNumber <= toBlock),
      { roles, bookedTo: cursor.blockNumber },
    )
    const lookup = { mined: telling, missing }
    const own = lookup.mined.flatMap((outcome) => (outcome.status === 'success' ? outcome.events : []))
    const events = unique([...blocks.events, ...own])

    const headers = await readHeadersOf(reader, [...events, ...telling, ...powerless], blocks.headers)
    // Both ends must still stand: a fork in the meantime may have taken the block that this range is to follow.
    const [tipNow, cursorNow, finality] = await Promise.all([
      reader.getBlock(tip.number),
      reader.getBlock(cursor.blockNumber),
      readFinality(),
    ])
    const stands = tipNow?.hash === tip.hash && cursorNow?.hash === cursor.blockHash
    if (headers === undefined || !stands) return undefined
    const firmTo = finality?.safeNumber ?? 0n
    const firm = powerless.filter(({ blockNumber }) => blockNumber <= firmTo)
    return { tip, headers, events, lookup, powerless: firm, finality }
  }

  let looksWithoutFinality = 0

  const readFinality = async (): Promise<Findings['finality']> => {
    const [safe, finalized] = await Promise.all([reader.getBlock('safe'), reader.getBlock('finalized')])
    looksWithoutFinality = finalized ? 0 : looksWithoutFinality + 1
    if (looksWithoutFinality === ALARMING_LOOKS) {
      await alert('NO_FINALIZED_BLOCK', { looks: ALARMING_LOOKS })
    }
    return safe && { safeNumber: safe.number, finalizedNumber: finalized?.number ?? 0n }
  }

  const store = (cursor: Cursor, findings: Findings): Promise<string[]> =>
    db.transaction(async (tx) => {
      if (!(await lockCursor(tx, chainId, cursor))) return []
      const { tip, headers, events, lookup, powerless, finality } = findings
      const timeOf = (blockNumber: bigint): number => headers.get(blockNumber)?.timestamp ?? 0
      await storeBlocks(tx, chainId, [...headers.values()])
      await recorder.record(tx, {
        events,
        timeOf,
        recordOutcomes: (inRecord) => applyOutcomes(inRecord, deps, lookup.mined, timeOf),
      })
      const freed = await freeMissing(tx, deps, { missing: lookup.missing, block: tip.number })
      for (const intentId of await freePowerless(tx, chainId, powerless)) {
        log.warn({ intentId }, 'the key was not the operator any more; the intent waits for one that is')
      }
      await moveCursor(tx, chainId, tip)
      if (finality) await markFinal(tx, chainId, finality)
      await faults.reach('settlement.storing')
      return freed
    })

  return {
    async advance() {
      const cursor = (await readCursor(db, chainId)) ?? (await begin())
      if (cursor === undefined || cursor.haltedReason !== null) return false
      if (await rollback.isForked(cursor)) return rollback.run(cursor, settings.maxReorgDepth)
      const findings = await look(cursor)
      if (findings === undefined) return false
      await faults.reach('settlement.read')
      const { tip, lookup, powerless } = findings
      const outcomes = lookup.mined.length + powerless.length
      const hasNews = tip.number > cursor.blockNumber || outcomes + lookup.missing.length > 0
      if (!hasNews) {
        if (findings.finality) await markFinal(db, chainId, findings.finality)
        return false
      }
      const freed = await store(cursor, findings)
      await faults.reach('settlement.stored')
      for (const intentId of freed) {
        await alert('NONCE_USED_ELSEWHERE', { intentId })
      }
      return tip.number > cursor.blockNumber || outcomes + freed.length > 0
    },

    async goBack() {
      const cursor = await readCursor(db, chainId)
      if (cursor === undefined || cursor.haltedReason === null) return
      if (await rollback.isForked(cursor)) await rollback.run(cursor, Number.POSITIVE_INFINITY)
    },

    resume: (tx) => endHalt(tx, chainId),
  }
}

/** The same log may be found by its block and by its transaction. */
function unique(events: ChainEvent[]): ChainEvent[] {
  const byPlace = new Map(events.map((event) => [`${event.transactionHash}:${event.logIndex}`, event]))
  return [...byPlace.values()].sort(
    (a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex,
  )
}
