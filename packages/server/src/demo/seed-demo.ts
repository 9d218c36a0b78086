import type { AppDeps } from '../house/outside.ts'
import { StartupError } from '../platform/db/startup-error.ts'
import { withLease } from '../platform/queue/lease.ts'
import type { SandboxChain } from '../ports/chain/port.ts'
import { askForReset, withdrawReset } from '../sandbox-reset.ts'
import { markBegun, markWhole, readMark } from './marker-store.ts'
import { MAX_DEMO_AGENTS, planDemo } from './plan.ts'
import { play } from './play.ts'
import { releaseMemory } from './release-memory.ts'
import { DEMO_SPAN_SECONDS, DEMO_WEEKS, SLOT_COUNT } from './span.ts'
import { openStage } from './stage.ts'
import { castOf } from './wallets.ts'

/**
 * `made`: it is there now. `present`: it was there before. `incomplete`: a part of it is there, for good. `late`: nothing
 * is there, and the chain does not begin early enough to hold it.
 */
export type DemoOutcome = 'made' | 'present' | 'incomplete' | 'late'

export interface SeedDemoOptions {
  /** The sandbox's seed; every wallet of the demo is derived from it. */
  chainSeed: string
  /** Reports progress to a person, a line at a time. */
  say: (line: string) => void
  agentCount?: number
  /** Ends the making early, by throwing; what was made goes at the next start. */
  stopping?: AbortSignal
}

/** A chain that was started a while before this may be so much nearer to the present. */
const TOLERANCE_SECONDS = 3600
const WEEKS_PER_LINE = 4

/**
 * Twelve weeks of a lively market, once for each database: through the service itself and on the chain, from its
 * beginning up to now. It never stands in the way of a start: whatever it meets, the chain's clock is in the present
 * afterwards, and what was made stays.
 */
export async function seedDemo(deps: AppDeps, options: SeedDemoOptions): Promise<DemoOutcome> {
  const { db, config, log } = deps
  const chain = deps.sandbox?.chain
  if (config.mode !== 'sandbox' || !chain) {
    throw new StartupError('Demo data is for the sandbox with its own chain alone: nothing was made.')
  }
  const mark = await readMark(db)
  if (mark !== 'none') {
    if (mark === 'begun')
      options.say(
        'The demo data is incomplete, because its making was interrupted. Remove DATA_DIR to have all of it.',
      )
    await catchUp(deps)
    return mark === 'whole' ? 'present' : 'incomplete'
  }
  if (secondsBehind(deps, chain) < DEMO_SPAN_SECONDS - TOLERANCE_SECONDS) {
    await catchUp(deps)
    return 'late'
  }
  // Half a story is of no use: a process that dies in the middle of it leaves the sandbox to be filled again.
  const canStartOver = config.databaseUrl === undefined
  if (canStartOver) await askForReset(config.dataDir)
  try {
    await markBegun(db)
    // What a crash interrupts is started over: then no block needs to be on disk before the last one is.
    const makeAll = () => make(deps, chain, options)
    await (canStartOver ? chain.syncOnce(makeAll) : makeAll())
    await catchUp(deps)
    await markWhole(db)
  } catch (error) {
    if (options.stopping?.aborted) throw error
    log.error({ err: error }, 'the demo data could not be completed')
    options.say('The demo data could not be completed; the log says why.')
    await catchUp(deps)
    if (canStartOver) await withdrawReset(config.dataDir)
    return 'incomplete'
  }
  if (canStartOver) await withdrawReset(config.dataDir)
  return 'made'
}

/** Brings a chain that began in the past to the present. One that is there, or ahead, stays. */
export async function catchUp(deps: Pick<AppDeps, 'sandbox' | 'wallClock'>): Promise<void> {
  const chain = deps.sandbox?.chain
  const seconds = chain ? secondsBehind(deps, chain) : 0
  if (seconds > 0) await chain?.advanceTime(seconds)
}

function secondsBehind({ wallClock }: Pick<AppDeps, 'wallClock'>, chain: SandboxChain): number {
  return Math.floor((wallClock.now().getTime() - chain.now().getTime()) / 1000)
}

async function make(
  deps: AppDeps,
  chain: SandboxChain,
  { chainSeed, say, stopping, agentCount = MAX_DEMO_AGENTS }: SeedDemoOptions,
): Promise<void> {
  const startedMs = performance.now()
  const plan = planDemo(agentCount)
  const cast = castOf(chainSeed, { sellers: plan.agents.length, buyers: plan.buyers.length })
  const stage = await openStage({ deps, chain })
  const slotsPerLine = (SLOT_COUNT / DEMO_WEEKS) * WEEKS_PER_LINE
  say(
    `Making ${DEMO_WEEKS} weeks of demo data, once: ${plan.agents.length} agents, ${plan.jobs.length} jobs. DEMO=off leaves it out.`,
  )
  try {
    const report = (slot: number): void => {
      stopping?.throwIfAborted()
      if (slot > 0 && slot % slotsPerLine === 0)
        say(`  week ${(slot / slotsPerLine) * WEEKS_PER_LINE} of ${DEMO_WEEKS}`)
    }
    // The audit reads everything on chain again each time: holding its lease puts it off until the demo is complete.
    const work = () => play(stage, plan, cast, report)
    if (!(await withLease({ db: deps.db, name: 'audit', work })))
      throw new Error('another process is at work on this database')
  } finally {
    await stage.close()
  }
  releaseMemory()
  say(`The demo data is there, after ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`)
}
