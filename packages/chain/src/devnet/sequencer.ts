import type { Hex } from 'viem'
import { ChainError } from '../errors.ts'
import { type Edr, MAX_BLOCK_TRANSACTIONS } from './edr.ts'
import type { Journal } from './journal.ts'
import { type BlockHead, mineBlock } from './mineBlock.ts'
import { replayJournal } from './replayJournal.ts'

/**
 * The one writer of the chain. Whatever arrives while a block is being written joins the next one, so that
 * concurrent senders share a sync of the disk and a lone one waits for nobody.
 */
export type Sequencer = {
  /** Resolves with the hash once the transaction is journalled and mined; rejects with the machine's reason. */
  send: (rawTransaction: Hex) => Promise<Hex>
  advanceTime: (seconds: number) => Promise<void>
  now: () => number
  /** How far the latest block lies behind the present. */
  idleSeconds: () => number
  /** Waits for what was accepted, and refuses everything after. */
  close: () => Promise<void>
}

type Promised<T> = { resolve: (value: T) => void; reject: (error: unknown) => void }
type Sending = Promised<Hex> & { rawTransaction: Hex }
type Jump = Promised<void> & { advanceSeconds: number }

// The end of the year 9999: a clock beyond it could not be written as a date any more.
const LAST_SECOND = 253_402_300_799

/** What is sent in one turn of the event loop shares a block from the first one on. */
const beginSoon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const createSequencer = async ({
  edr,
  journal,
  realNowMs,
  replayed,
}: {
  edr: Edr
  journal: Journal
  realNowMs: () => number
  /** Where the machine is when the journal has been replayed on it already. */
  replayed?: BlockHead | undefined
}): Promise<Sequencer> => {
  let head = replayed ?? (await replayJournal(edr, journal.entries))
  let offsetSeconds = journal.entries.reduce(
    (sum, entry) => sum + (entry.advanceSeconds ?? 0),
    journal.header.offsetSeconds ?? 0,
  )
  const queue: (Sending | Jump)[] = []
  let draining: Promise<void> | undefined
  let closedBecause: ChainError | undefined

  const now = (): number => Math.max(Math.floor(realNowMs() / 1000) + offsetSeconds, head.time)

  // Replaying old blocks left the machine's own clock, which calls at the pending block read, in the past.
  await edr.request('evm_increaseTime', [now() - head.time])

  const writeJump = async ({ advanceSeconds, resolve, reject }: Jump): Promise<void> => {
    const time = now() + advanceSeconds
    try {
      await journal.append({ parent: head.hash, time, transactions: [], advanceSeconds })
    } catch (error) {
      return reject(error)
    }
    offsetSeconds += advanceSeconds
    head = (await mineBlock(edr, { time, hashes: [] })).head
    resolve()
  }

  const writeTransactions = async (sendings: readonly Sending[]): Promise<void> => {
    const accepted: { sending: Sending; hash: Hex }[] = []
    for (const sending of sendings) {
      try {
        accepted.push({ sending, hash: await edr.send(sending.rawTransaction) })
      } catch (error) {
        sending.reject(error)
      }
    }
    if (accepted.length === 0) return
    const time = now()
    const hashes = accepted.map(({ hash }) => hash)
    const transactions = accepted.map(({ sending }) => sending.rawTransaction)
    try {
      await journal.append({ parent: head.hash, time, transactions })
    } catch (error) {
      for (const hash of hashes) await edr.drop(hash)
      for (const { sending } of accepted) sending.reject(error)
      return
    }
    const mined = await mineBlock(edr, { time, hashes })
    head = mined.head
    if (mined.refusal === undefined) {
      for (const { sending, hash } of accepted) sending.resolve(hash)
    } else if (accepted.length === 1) {
      for (const { sending } of accepted) sending.reject(mined.refusal)
    } else {
      // One of them spoiled the block for all: each gets another chance, alone.
      for (const { sending } of accepted) await writeTransactions([sending])
    }
  }

  /** The next block's work: as many sendings as fit, or one jump. */
  const takeNext = (): Sending[] | [Jump] => {
    const end = queue.findIndex((work, index) => index === MAX_BLOCK_TRANSACTIONS || 'advanceSeconds' in work)
    return queue.splice(0, end === -1 ? queue.length : Math.max(end, 1)) as Sending[] | [Jump]
  }

  const drain = async (): Promise<void> => {
    let underWay: readonly (Sending | Jump)[] = []
    try {
      while (queue.length > 0) {
        const next = takeNext()
        underWay = next
        const [first] = next
        if (first && 'advanceSeconds' in first) await writeJump(first)
        else await writeTransactions(next as Sending[])
      }
    } catch (error) {
      // The journal knows more than the machine has done: only a restart, which replays it, brings them together.
      closedBecause = new ChainError('DEVNET_CLOSED', 'the devnet failed and must be restarted', {
        cause: error,
      })
      for (const { reject } of [...underWay, ...queue.splice(0)]) reject(closedBecause)
    }
    draining = undefined
  }

  const enqueue = (work: Sending | Jump): void => {
    if (closedBecause) {
      work.reject(closedBecause)
      return
    }
    queue.push(work)
    draining ??= beginSoon().then(drain)
  }

  return {
    send: (rawTransaction) => new Promise((resolve, reject) => enqueue({ rawTransaction, resolve, reject })),
    advanceTime: (seconds) =>
      new Promise((resolve, reject) => {
        if (!Number.isSafeInteger(seconds) || seconds < 0 || now() + seconds > LAST_SECOND) {
          const message = `time moves forward by whole seconds, up to the year 9999, not by ${seconds}`
          return reject(new ChainError('INVALID_ARGUMENT', message))
        }
        enqueue({ advanceSeconds: seconds, resolve, reject })
      }),
    now,
    idleSeconds: () => now() - head.time,
    close: async () => {
      closedBecause ??= new ChainError('DEVNET_CLOSED', 'the devnet is closed')
      await draining
    },
  }
}
