import type { Transaction } from '../../platform/db/transaction.ts'
import { reverseEntriesAbove } from '../books/journal.ts'
import { reopenIntentsAbove } from '../intents/intent-store.ts'
import type { MoneyDeps } from '../money-deps.ts'
import { reopenTransactions } from '../sending/transaction-store.ts'
import { type Cursor, listBlocks, lockCursor, moveCursor } from './cursor-store.ts'
import { dropEventsAbove, type StoredEvent } from './event-store.ts'
import { halt } from './status.ts'
import { forgetFollowedAbove } from './watched-wallets.ts'

/** So many stored blocks are asked about at most; far more than any fork that is followed without a person. */
const WALK_LIMIT = 10_000

interface KnownBlock {
  number: bigint
  hash: string
}

export interface Rollback {
  /** Whether the chain went another way. One that is only shorter than ours has not: its node may lag behind. */
  isForked(cursor: Cursor): Promise<boolean>
  /** Goes back to where our blocks and the chain's part; false when that is deeper than allowed, and everything halts. */
  run(cursor: Cursor, maxDepth: number): Promise<boolean>
}

/**
 * What a reorganisation takes back: outcomes first, then events, each in the opposite order of their coming, and the
 * journal by reversing entries. The transactions themselves are sent again, as the same bytes.
 */
export function createRollback(
  { db, chain, kinds, faults, log, alert }: MoneyDeps,
  undoEvent: (tx: Transaction, stored: StoredEvent) => Promise<void>,
): Rollback {
  const { chainId } = chain.facts

  /** The newest block of ours that stands, and the oldest that does not: the chain parted somewhere between the two. */
  const findFork = async (): Promise<{ standing?: KnownBlock; replaced?: KnownBlock }> => {
    let replaced: KnownBlock | undefined
    for (const block of await listBlocks(db, chainId, WALK_LIMIT)) {
      const there = await chain.reader.getBlock(block.number)
      if (there?.hash === block.hash) return { standing: block, ...(replaced && { replaced }) }
      replaced = block
    }
    return {}
  }

  const takeBack = (cursor: Cursor, fork: KnownBlock): Promise<void> =>
    db.transaction(async (tx) => {
      if (!(await lockCursor(tx, chainId, cursor))) return
      const reopened = await reopenIntentsAbove(tx, fork.number)
      await reopenTransactions(
        tx,
        reopened.map(({ id }) => id),
      )
      for (const intent of reopened) await kinds.of(intent.kind).onReverted(tx, intent)
      for (const stored of await dropEventsAbove(tx, chainId, fork.number)) await undoEvent(tx, stored)
      await reverseEntriesAbove(tx, { chainId, blockNumber: fork.number, reason: 'reorganisation' })
      await forgetFollowedAbove(tx, { chainId, blockNumber: fork.number })
      await moveCursor(tx, chainId, fork)
      await faults.reach('rollback.storing')
    })

  return {
    async isForked(cursor) {
      const standing = await chain.reader.getBlock(cursor.blockNumber)
      if (standing !== undefined) return standing.hash !== cursor.blockHash
      for (const block of await listBlocks(db, chainId, WALK_LIMIT)) {
        const there = await chain.reader.getBlock(block.number)
        if (there !== undefined) return there.hash !== block.hash
      }
      return false
    },

    async run(cursor, maxDepth) {
      const { standing: fork, replaced } = await findFork()
      // Not every block is kept. What stands may be far below the fork, and reading from there again does no harm.
      const depth = replaced === undefined ? 0 : Number(cursor.blockNumber - replaced.number + 1n)
      if (fork === undefined || depth > maxDepth) {
        const reason = `the chain parted from ours ${fork ? `${depth} blocks ago` : 'before everything we know'}`
        await halt(db, chainId, reason)
        await alert('PAYOUTS_HALTED', { reason, cursor: cursor.blockHash })
        return false
      }
      log.warn({ depth, fork: fork.number.toString() }, 'the chain was reorganised')
      await takeBack(cursor, fork)
      await faults.reach('rollback.stored')
      return true
    },
  }
}
