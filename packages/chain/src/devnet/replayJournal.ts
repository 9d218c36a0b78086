import type { Hex } from 'viem'
import { ChainError } from '../errors.ts'
import { type Edr, headOf, LATEST_BLOCK } from './edr.ts'
import type { JournalEntry } from './journal.ts'
import type { MachineCall } from './machine.ts'
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

/**
 * The same in one go, which the machine does without this thread: `onBegin` is called when it has begun. Each block stands
 * on the one before, so the last but one vouches for all. Undefined where a step fails, or the blocks differ: what the
 * machine has done then is of no use, and a fresh one walks step by step.
 */
export const replayAtOnce = async (
  edr: Edr,
  entries: readonly JournalEntry[],
  onBegin?: () => void,
): Promise<BlockHead | undefined> => {
  const before = entries.slice(0, -1).flatMap(callsOf)
  const last = entries.slice(-1)
  const running = edr.runAll([...before, LATEST_BLOCK, ...last.flatMap(callsOf), LATEST_BLOCK])
  onBegin?.()
  const results = await running.catch(() => undefined)
  const isSame = results && last.every(({ parent }) => parent === headOf(results[before.length]).hash)
  return isSame ? headOf(results.at(-1)) : undefined
}

const callsOf = ({ transactions, time }: JournalEntry): MachineCall[] => [
  ...transactions.map((raw): MachineCall => ['eth_sendRawTransaction', [raw]]),
  ['evm_mine', [time]],
]
