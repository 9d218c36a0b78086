import type { NewId } from '../platform/id/id.ts'
import type { SenderName } from '../ports/chain/port.ts'
import { createIntents } from './create-intents.ts'
import { pruneBlocks } from './event-store.ts'
import { noFaults } from './faults.ts'
import { createIndexer, type Indexer } from './indexer.ts'
import type { Intents } from './intents.ts'
import { createKinds } from './kinds.ts'
import { createLoop } from './loop.ts'
import { defaultMoneySettings, type MoneyDeps, type MoneySettings } from './money-deps.ts'
import { createRelayer } from './relayer.ts'
import { createResender } from './resender.ts'
import { type MoneyStatus, readStatus } from './status.ts'

const senders: SenderName[] = ['operator', 'spender']

export interface MoneyEngine {
  intents: Intents
  onEvent: Indexer['onEvent']
  /** Follows the chain again after a person has looked at what halted the engine. */
  resume: Indexer['resume']
  status(): Promise<MoneyStatus>
  /** Removes what is only kept while the chain could still fork; answers how many rows. To be called now and then. */
  prune(): Promise<number>
  /** Begins to listen and, unless told otherwise, to work. A process that does not work can still create and wait. */
  start(options?: { isWorking?: boolean }): Promise<void>
  /** Finishes what is under way. */
  stop(): Promise<void>
  /** One round of everything; answers whether anything moved. For tests and for the sandbox's clock. */
  runOnce(): Promise<boolean>
  /** Rounds until nothing moves, at most `limit`. */
  runUntilIdle(limit?: number): Promise<void>
}

export interface MoneyEngineOptions extends Pick<MoneyDeps, 'db' | 'chain' | 'log' | 'alert'> {
  newId: NewId
  faults?: MoneyDeps['faults']
  settings?: Partial<MoneySettings>
}

/** Intents in, settlements out. Several engines may run on one database; each money movement still happens once. */
export function createMoneyEngine({ newId, settings, faults, ...given }: MoneyEngineOptions): MoneyEngine {
  const kinds = createKinds()
  const deps: MoneyDeps = {
    ...given,
    kinds,
    faults: faults ?? noFaults,
    settings: { ...defaultMoneySettings, ...settings },
  }
  const intents = createIntents({ db: deps.db, newId, kinds })
  const relayer = createRelayer(deps)
  const resender = createResender(deps)
  const indexer = createIndexer(deps)

  const send = async (): Promise<boolean> => {
    let count = 0
    for (const sender of senders) count += await relayer.submit(sender)
    if (count > 0) indexing.wake()
    return count > 0
  }
  const lookAfter = async (): Promise<boolean> => {
    let count = 0
    for (const sender of senders) count += await resender.resend(sender)
    return count > 0
  }

  const { pollMs } = deps.settings
  const { log } = deps
  const tellOf = (part: string) => (error: unknown) =>
    deps.alert(`The ${part} fails again and again`, { error: String(error) })
  const sending = createLoop({ name: 'relayer', pollMs, log, turn: send, onStuck: tellOf('relayer') })
  const indexing = createLoop({
    name: 'indexer',
    pollMs,
    log,
    onStuck: tellOf('indexer'),
    turn: async () => {
      const hasMoved = await indexer.advance()
      // An outcome may open the lane of the next intent, and a reorganisation leaves bytes to send again.
      if (hasMoved) sending.wake()
      return hasMoved
    },
  })
  const resending = createLoop({
    name: 'resender',
    pollMs: pollMs * 5,
    log,
    onStuck: tellOf('resender'),
    // What it sent again needs time to be heard of: it never has reason to go round at once.
    turn: async () => {
      if (await lookAfter()) indexing.wake()
      return false
    },
  })
  intents.onKick(sending.wake)
  const loops = [sending, indexing, resending]

  const runOnce = async (): Promise<boolean> => {
    const hasSent = await send()
    const hasResent = await lookAfter()
    const hasMoved = await indexer.advance()
    return hasSent || hasResent || hasMoved
  }

  return {
    intents,
    onEvent: indexer.onEvent,
    resume: indexer.resume,
    status: () => readStatus(deps.db, deps.chain.facts.chainId),
    prune: () => pruneBlocks(deps.db, deps.chain.facts.chainId),
    runOnce,

    async runUntilIdle(limit = 1_000) {
      for (let round = 0; round < limit; round += 1) if (!(await runOnce())) return
      throw new Error(`the money engine is not idle after ${limit} rounds`)
    },

    async start({ isWorking = true } = {}) {
      await intents.start()
      if (isWorking) for (const loop of loops) loop.start()
    },

    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
      await intents.stop()
    },
  }
}
