import type { Hex } from 'viem'
import { ChainError } from '../errors.ts'
import type { Edr } from './edr.ts'
import type { JournalEntry } from './journal.ts'
import { type BlockHead, mineBlock } from './mineBlock.ts'

/** Walks the journal again: same transactions, same times, and at each step the same block to stand on. */
export const replayJournal = async (edr: Edr, entries: readonly JournalEntry[]): Promise<BlockHead> => {
  let head = await edr.latestBlock()
  for (const [index, entry] of entries.entries()) {
    if (entry.parent !== head.hash) {
      throw new ChainError(
        'REPLAY_DIVERGED',
        `journal entry ${index} stands on ${entry.parent}, the replay is at ${head.hash}`,
      )
    }
    const hashes: Hex[] = []
    for (const rawTransaction of entry.transactions) hashes.push(await edr.send(rawTransaction))
    head = (await mineBlock(edr, { time: entry.time, hashes })).head
  }
  return head
}
