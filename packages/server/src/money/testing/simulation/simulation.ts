import { sql } from '../../../platform/db/sql.ts'
import { type Breach, checkInvariants } from '../../audit/invariants.ts'
import type { MoneyEngine } from '../../engine.ts'
import {
  auditClosedWorld,
  breachOf,
  comeToRest,
  MINTED_MICRO,
  openIntents,
  outsider,
  rereadAll,
  snapshotOf,
  statusesOf,
  wallets,
} from '../closed-world.ts'
import { createLyingNode } from '../lying-node.ts'
import type { MoneyWorld } from '../money-world-on.ts'
import { createSeededRandom } from '../seeded-random.ts'
import { createStranger } from '../stranger.ts'
import { createActs } from './acts.ts'
import { createDisturbances } from './disturbances.ts'
import { liesAgainst, type Protection } from './protections.ts'
import { createWorkers } from './workers.ts'

const HEAL_ROUNDS = 400

export interface SimulationReport {
  seed: number
  breaches: Breach[]
  /** What happened, step by step: two runs of one odd seed are identical, unless the node lies. */
  trace: string[]
  counts: Record<string, number>
  /** From the moment when nothing was wrong any more until every rule had been checked. */
  healedInMs: number
}

/** What may go wrong besides the weather, and which protections the engines have against it. */
export interface SimulationOptions {
  seed: number
  steps: number
  /** The node is wrong a quarter of the time, and a stranger sends first what others signed. */
  lies?: boolean
  /** The deepest fork; the engines allow a little more. */
  forkDepth?: number
  /** Leaves one protection out, to see that the simulation notices: proven logs, or surprises that must be confirmed. */
  without?: Protection | undefined
}

/** Drives the real engine on the real EVM and PostgreSQL through `steps` random steps, heals the world and audits it. */
export async function simulate(
  world: MoneyWorld,
  { seed, steps, lies = false, forkDepth = 5, without }: SimulationOptions,
): Promise<SimulationReport> {
  const random = createSeededRandom(seed)
  const { db, chaos } = world
  const trace: string[] = []
  const counts: Record<string, number> = {}
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }

  for (const { address } of wallets) await chaos.faucet({ address, amountMicro: MINTED_MICRO, gasWei: 0n })
  const floor = chaos.depth()
  const stranger = createStranger(world, outsider)
  const shared = { world, random, lies, forkDepth, stranger, count }
  // So that a run can be repeated step by step, batches of odd seeds go out in turn.
  const workers = createWorkers({ ...shared, without, overlapsBatches: seed % 2 === 0 })
  const liar = createLyingNode(seed, count, without && liesAgainst[without])
  const { act, watchPeople, watchTheRest } = createActs({ ...shared, workers })
  const disturb = createDisturbances({ ...shared, workers, liar, floor })

  if (lies) await watchPeople()
  for (let step = 0; step < steps; step += 1) {
    const what = random.chance(0.6) ? await act() : await disturb()
    count(what)
    await workers.turn()
    trace.push(`${step} ${what} ${await snapshotOf(world)}`)
  }

  const healedAtMs = performance.now()
  chaos.setWeather('fair')
  chaos.setLiar(undefined)
  const engine = workers.heal()
  await watchTheRest()
  await settleAll(world, engine)
  const restless = await comeToRest(engine)
  counts.stuck = await openIntents(world)
  const { SETTLED = 0n, REJECTED = 0n } = await statusesOf(world)
  counts.settled = Number(SETTLED)
  counts.rejected = Number(REJECTED)
  for (const [fate, transactions] of chaos.fates()) counts[`transaction ${fate}`] = transactions
  trace.push(await snapshotOf(world))
  const ofWorld = [
    ...breachOf('the engine comes to rest', restless),
    ...(await auditClosedWorld(world, engine, lies)),
    ...breachOf('what the chain would have taken was rejected', workers.wronged),
  ]
  let ofBooks = await checkInvariants({ db, chain: chaos.chain })
  // What a node leaves out of a new wallet's past, and what changed no balance, is found by the audit. The operator then has
  // the blocks compared again.
  if (lies && ofWorld.length === 0 && ofBooks.length > 0 && ofBooks.every(isOfMissingEvents)) {
    count('gap without effect')
    await rereadAll(world, engine)
    ofBooks = await checkInvariants({ db, chain: chaos.chain })
  }
  const healedInMs = performance.now() - healedAtMs
  return { seed, trace, counts, healedInMs, breaches: [...ofBooks, ...ofWorld] }
}

/** Lets the engine work until nothing is pending, or for so many rounds that what is left is stuck. */
async function settleAll(world: MoneyWorld, engine: MoneyEngine): Promise<void> {
  const { db, chaos } = world
  for (let round = 0; round < HEAL_ROUNDS && (await openIntents(world)) > 0; round += 1) {
    await db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
    await chaos.mine()
    // What was sent is looked after only in a round that finds nothing new.
    for (let turns = 0; turns < 3 && (await engine.runOnce()); turns += 1);
  }
  // One more block makes sure that whatever fork came last is noticed.
  await chaos.mine()
}

const isOfMissingEvents = ({ rows }: Breach): boolean => rows.every((row) => 'missing' in row)
