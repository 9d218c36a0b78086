import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from '../platform/db/transaction.ts'
import type { NewId } from '../platform/id/id.ts'
import { createAccountOf } from './books/accounts.ts'
import type { JobIdOf } from './books/escrow-books.ts'
import { createEngineLoops } from './engine-loops.ts'
import { noFaults } from './faults.ts'
import { pruneBlocks, readCursor } from './following/cursor-store.ts'
import { createFollower } from './following/follower.ts'
import { createIndexer, type Indexer } from './following/indexer.ts'
import { createMender } from './following/mender.ts'
import { createRecorder, type Recorder } from './following/recorder.ts'
import { countFollowed, isAtRest, type MoneyStatus, readBookedTime, readStatus } from './following/status.ts'
import { createTracer } from './following/tracer.ts'
import { watchWallets } from './following/watched-wallets.ts'
import { createIntents, type RunningIntents } from './intents/create-intents.ts'
import type { Intents } from './intents/intents.ts'
import { createKinds } from './intents/kinds.ts'
import type { GasBudget } from './limits/gas-budget.ts'
import { defaultMoneySettings, type MoneyDeps, type MoneySettings } from './money-deps.ts'
import { followRoleChanges } from './roles/role-changes.ts'
import { createRoles, type Roles } from './roles/roles.ts'
import { createNonceGaps } from './sending/nonce-gaps.ts'
import { createRelayer } from './sending/relayer.ts'
import { createResender } from './sending/resender.ts'
import { allInTurn } from './sending/settle.ts'
import { createTurns, senders } from './sending/turns.ts'

const IDLE_PAUSE_MS = 10
const MOST_ROUNDS = 1_000

export interface MoneyEngine {
  intents: Intents
  onEvent: Recorder['onEvent']
  roles: Roles
  /** From now on all USDC of this wallet is in the books. In the transaction that makes its address known to anybody. */
  watch(tx: Transaction, address: string): Promise<void>
  /** What a person does about a halted engine: first the way back, then on. */
  goBack: Indexer['goBack']
  resume: Indexer['resume']
  status(): Promise<MoneyStatus>
  /** Wallets whose USDC is read with every block. */
  followedCount(): Promise<number>
  /** The time up to which the books know the chain; undefined when there is none. What waits for a time waits for this one. */
  bookedTime(): Promise<Date | undefined>
  /** Reads the chain as far as it goes now, and sends nothing. Returns whether the books are at its head. */
  readOn(): Promise<boolean>
  /** Removes what is only kept while the chain could still fork; returns how many rows. To be called now and then. */
  prune(): Promise<number>
  /** Starts listening and, by default, working. A process that does not work can still create and wait. */
  start(options?: { isWorking?: boolean }): Promise<void>
  /** Finishes what is under way. */
  stop(): Promise<void>
  /** One round of everything; returns whether anything moved. For tests and for the sandbox's clock. */
  runOnce(): Promise<boolean>
  /** Callers that wait for an outcome, for code that drives the engine by hand. */
  waiting: Pick<RunningIntents, 'waitingCount' | 'onWaiting'>
  /** Rounds until nothing moves, at most `limit`. */
  runUntilIdle(limit?: number): Promise<void>
  /**
   * Rounds until everything that was ordered is sent, mined and booked, also what the engine's own loops hold at the
   * moment; false when patience ends first. What cannot go out now, and is put off, is not waited for.
   */
  idlesWithin(patienceMs: number): Promise<boolean>
}

export interface MoneyEngineOptions extends Pick<MoneyDeps, 'db' | 'chain' | 'log' | 'alert'> {
  newId: NewId
  faults?: MoneyDeps['faults']
  endOfWaits?: AbortSignal
  /** Without one nobody counts the gas that users cause. */
  gasBudget?: Pick<GasBudget, 'take'>
  /** Which job of the service has this key in the escrow. */
  jobIdOf?: JobIdOf
  settings?: Partial<MoneySettings>
}

/** Intents in, settlements out. Several engines may run on one database; each money movement still happens once. */
export function createMoneyEngine(options: MoneyEngineOptions): MoneyEngine {
  const {
    newId,
    settings,
    faults,
    gasBudget,
    endOfWaits,
    jobIdOf = async () => undefined,
    ...given
  } = options
  const kinds = createKinds()
  const deps: MoneyDeps = {
    ...given,
    kinds,
    faults: faults ?? noFaults,
    settings: { ...defaultMoneySettings, ...settings },
  }
  const intents = createIntents({ db: deps.db, newId, kinds, gasBudget, endOfWaits })
  const roles = createRoles(deps.db, deps.chain)
  const relayer = createRelayer(deps)
  const resender = createResender(
    deps,
    createNonceGaps({ db: deps.db, chain: deps.chain, intents, settings: deps.settings }),
  )
  const recorder = createRecorder({ facts: deps.chain.facts, jobIdOf, alert: deps.alert })
  const indexer = createIndexer(deps, recorder)
  const follower = createFollower(deps, recorder)
  const tracer = createTracer(deps, recorder)
  const takeUp = async (): Promise<boolean> => {
    const hasFollowed = await follower.takeUp()
    return (await tracer.takeUp()) || hasFollowed
  }
  const mender = createMender(deps, recorder)

  const submit = createTurns((sender) => relayer.submit(sender))
  const send = async (): Promise<boolean> => {
    const counts = await submit()
    const hasSent = counts.some((count) => count > 0)
    if (hasSent) loops.indexing.wake()
    return hasSent
  }
  const lookAfter = async (): Promise<boolean> => {
    const ours = senders.map((sender) => () => resender.resend(sender))
    const counts = await allInTurn([...ours, resender.resendFormer])
    return counts.some((count) => count > 0)
  }

  const { chainId } = deps.chain.facts
  const accountOf = createAccountOf(deps.chain.facts)
  const loops = createEngineLoops(deps, {
    send,
    index: indexer.advance,
    lookAfter,
    takeUp,
    mend: mender.mend,
  })
  intents.onKick(loops.sending.wake)

  const runOnce = async (): Promise<boolean> => {
    const hasSent = await send()
    const hasMoved = await indexer.advance()
    const hasFollowed = await takeUp()
    const hasMended = await mender.mend()
    // What was sent a moment ago is not due again: it is looked after when there is nothing else to do.
    return hasSent || hasMoved || hasFollowed || hasMended || lookAfter()
  }
  /** One question instead of the dozen that a round asks before it knows that there is nothing to do. */
  const isIdle = async (): Promise<boolean> => {
    const head = await deps.chain.reader.getBlock('latest')
    return (
      head !== undefined &&
      isAtRest(deps.db, { chainId, headHash: head.hash, isOperator: await roles.isOperator() })
    )
  }

  const watch: MoneyEngine['watch'] = async (tx, address) => {
    await watchWallets(tx, [{ address, account: accountOf(address) }])
    tx.afterCommit(loops.following.wake)
  }
  followRoleChanges({ onEvent: recorder.onEvent, alert: deps.alert, watch })

  return {
    intents,
    waiting: intents,
    onEvent: recorder.onEvent,
    roles,
    watch,
    goBack: indexer.goBack,
    async resume(tx) {
      const reason = await indexer.resume(tx)
      tx.afterCommit(() => {
        for (const loop of loops.all) loop.wake()
      })
      return reason
    },
    status: async () => ({
      ...(await readStatus(deps.db, chainId)),
      isOperator: await roles.isOperator(),
    }),
    followedCount: () => countFollowed(deps.db),
    bookedTime: () => readBookedTime(deps.db, chainId),
    async readOn() {
      for (let round = 0; round < MOST_ROUNDS; round += 1) if (!(await indexer.advance())) break
      const [head, cursor] = await Promise.all([
        deps.chain.reader.getBlock('latest'),
        readCursor(deps.db, chainId),
      ])
      return head !== undefined && cursor?.haltedReason === null && cursor.blockHash === head.hash
    },
    prune: () => pruneBlocks(deps.db, chainId),
    runOnce,

    async runUntilIdle(limit = MOST_ROUNDS) {
      for (let round = 0; round < limit; round += 1) if ((await isIdle()) || !(await runOnce())) return
      throw new Error(`the money engine is not idle after ${limit} rounds`)
    },

    async idlesWithin(patienceMs) {
      const endsAtMs = performance.now() + patienceMs
      for (;;) {
        // What a loop has claimed is either stored or put off when it is our turn to send.
        const hasMoved = await runOnce()
        if (!hasMoved && (await isIdle())) return true
        if (performance.now() >= endsAtMs) return false
        // Another of our loops may be at it, or the chain moved under its eyes.
        if (!hasMoved) await delay(IDLE_PAUSE_MS)
      }
    },

    async start({ isWorking = true } = {}) {
      await intents.start()
      if (isWorking) for (const loop of loops.all) loop.start()
    },

    async stop() {
      await Promise.all(loops.all.map((loop) => loop.stop()))
      await intents.stop()
    },
  }
}
