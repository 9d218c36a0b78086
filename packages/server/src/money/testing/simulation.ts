import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'
import { type Breach, checkInvariants } from '../audit/invariants.ts'
import type { MoneyEngine } from '../engine.ts'
import { type FaultPoint, faultPoints } from '../faults.ts'
import type { NewIntent } from '../intents/intents.ts'
import type { Weather } from './chaos-chain.ts'
import {
  agents,
  auditClosedWorld,
  breachOf,
  clients,
  comeToRest,
  expireLeases,
  MINTED_MICRO,
  openIntents,
  outsider,
  rereadAll,
  sellers,
  snapshotOf,
  statusesOf,
  wallets,
} from './closed-world.ts'
import { createLyingNode, type Lie } from './lying-node.ts'
import type { MoneyWorld } from './money-world-on.ts'
import { orderAction, orderDeposit, orderRuling, orderTransfer } from './orders.ts'
import { createSeededRandom } from './seeded-random.ts'
import { createStranger, findFalseRejections } from './stranger.ts'
import { withoutProofs } from './without-proofs.ts'

const HEAL_ROUNDS = 400
const DAY = 86_400

/** The fork depth that the engines allow: deeper than any in the simulation, and small enough that wallets bring a past. */
const MAX_REORG_DEPTH = 12

const weathers: Weather[] = ['fair', 'fair', 'slow', 'response lost', 'dropped', 'forgotten', 'doubled']
/** Ways a job can go after its deposit. Steps come late, early or twice; the contract refuses what does not fit. */
const plans = [
  ['submit', 'release'],
  ['submit', 'release'],
  ['refund'],
  ['submit', 'dispute', 'propose', 'accept'],
  ['dispute', 'rule'],
  ['submit', 'dispute', 'rule'],
  ['dispute', 'refundUndecided'],
]
/** A worker can be paused where it holds no database transaction; where it does, only a crash makes sense. */
const pausePoints = faultPoints.filter((point) => !point.endsWith('.storing'))

class Crash extends Error {
  override readonly name = 'Crash'
}

export interface SimulationReport {
  seed: number
  breaches: Breach[]
  /** What happened, step by step: two runs of one odd seed are identical, unless the node lies. */
  trace: string[]
  counts: Record<string, number>
}

export const protections = ['proofs', 'confirmations'] as const
export type Protection = (typeof protections)[number]

/** What each protection is there for. Without it the node lies about nothing else: other lies would only keep a round from its end. */
const liesAgainst: Record<Protection, readonly Lie[]> = {
  proofs: ['empty logs', 'partial logs'],
  confirmations: ['false refusal', 'another refusal', 'wrong nonce', 'stale nonce', 'lost receipt'],
}

/** What may go wrong besides the weather, and which protections the engines have against it. */
export interface SimulationOptions {
  seed: number
  steps: number
  /** The node is wrong a quarter of the time, and a stranger sends first what others signed. */
  lies?: boolean
  /** Leaves one protection out, to see that the simulation notices: proven logs, or surprises that must be confirmed. */
  without?: Protection | undefined
}

/** Drives the real engine on the real EVM and PostgreSQL through `steps` random steps, heals the world and audits it. */
export async function simulate(
  world: MoneyWorld,
  { seed, steps, lies = false, without }: SimulationOptions,
): Promise<SimulationReport> {
  const random = createSeededRandom(seed)
  // What overlaps depends on the machine. So that a run can be repeated step by step, batches of odd seeds go out in turn.
  const overlapsBatches = seed % 2 === 0
  const { db, chaos } = world
  const trace: string[] = []
  const counts: Record<string, number> = {}
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const jobs: { key: Hex; plan: string[] }[] = []
  let orders = 0
  let armed: FaultPoint | undefined
  let pause: { point: FaultPoint; during: () => Promise<void> } | undefined

  const faults = {
    async reach(point: FaultPoint) {
      if (pause?.point === point) {
        const { during } = pause
        pause = undefined
        await during()
      }
      if (armed !== point) return
      armed = undefined
      count(`crash at ${point}`)
      throw new Crash(point)
    },
  }
  const newEngine = (): MoneyEngine =>
    world.startEngine({
      faults,
      ...(without === 'proofs' ? { chain: withoutProofs(chaos.chain) } : {}),
      settings: {
        replaceAfterSeconds: random.chance(0.3) ? 0 : 3_600,
        overlapsBatches,
        batchSize: 1 + random.below(6),
        maxReorgDepth: MAX_REORG_DEPTH,
        agreeingResponses: lies && without !== 'confirmations' ? 3 : 1,
      },
    })

  for (const { address } of wallets) await chaos.faucet({ address, amountMicro: MINTED_MICRO, gasWei: 0n })
  const floor = chaos.depth()
  let engine = newEngine()
  const liar = createLyingNode(seed, count, without && liesAgainst[without])
  const stranger = createStranger(world, outsider)
  const wronged: Record<string, unknown>[] = []

  /** One round; a crash throws the worker away, everything else that fails is the weather. */
  const turn = async (): Promise<void> => {
    const headBefore = lies ? await stranger.head() : undefined
    // Pauses are in real time, and a run must not depend on that: whatever was put off is due.
    if (lies) await expireLeases(world)
    try {
      await engine.runOnce()
    } catch (error) {
      if (error instanceof Crash) engine = newEngine()
      else if (!lies && !isWeather(error)) throw error
    }
    if (headBefore) wronged.push(...(await findFalseRejections(world, headBefore)))
  }

  const order = async (intent: NewIntent): Promise<void> => {
    await db.transaction((tx) => engine.intents.create(tx, intent))
    if (lies && random.chance(0.2) && (await stranger.sendFirst(intent))) count('front-run')
  }

  const orderRandomly = async (): Promise<string> => {
    orders += 1
    const roll = random.next()
    if (roll < 0.3 || jobs.length === 0) {
      const { key, intent } = await orderDeposit(chaos, {
        jobId: `job-${orders}`,
        client: random.pick(clients),
        seller: random.pick(sellers).address,
        agentWallet: random.pick(agents).address,
        amountMicro: BigInt(100_000_000 + random.below(900_000_000)),
      })
      jobs.push({ key, plan: [...random.pick(plans)] })
      await order(intent)
      return 'deposit'
    }
    if (roll < 0.8) {
      const { key, plan } = random.pick(jobs)
      const action = (random.chance(0.85) ? plan.shift() : undefined) ?? random.pick(random.pick(plans))
      await order(action === 'rule' ? orderRuling(key) : orderAction(key, action))
      return action
    }
    const kind = roll < 0.9 ? 'test.pull' : 'test.withdrawal'
    await order(
      await orderTransfer(chaos, {
        kind,
        from: random.pick(kind === 'test.pull' ? clients : agents),
        to: random.pick(sellers).address,
        amountMicro: BigInt(1 + random.below(3_000_000_000)),
        number: orders,
      }),
    )
    return kind
  }

  /** Money that moves without us, between agents and a stranger; in bad weather it may not get far. */
  const transferDirectly = async (): Promise<string> => {
    const from = random.pick([outsider, outsider, ...agents])
    const to = random.pick([outsider, ...agents]).address
    const call = chaos.chain.usdc.transfer({ to, amountMicro: BigInt(random.below(1_000_000_000)) })
    const hash = await chaos.honestly(() => world.execute(from, call)).catch(() => undefined)
    return hash === undefined ? 'direct transfer lost' : 'direct transfer'
  }

  const unwatched = [...agents]
  // What strangers send for clients and sellers is nobody's intent: it is in the books only where they are watched.
  if (lies) {
    for (const { address } of [...clients, ...sellers])
      await db.transaction((tx) => engine.watch(tx, address))
    await engine.runUntilIdle()
  }
  const watchNext = async (): Promise<string> => {
    const agent = unwatched.shift()
    if (agent === undefined) return 'nothing to watch'
    await db.transaction((tx) => engine.watch(tx, agent.address))
    return 'watch'
  }

  const act = async (): Promise<string> => {
    const roll = random.next()
    if (roll < 0.7) return orderRandomly()
    return roll < 0.95 ? transferDirectly() : watchNext()
  }

  /** Clocks jump: leases run out early, and what was postponed is due. */
  const jumpClock = async (): Promise<void> => {
    await expireLeases(world)
    await chaos.mine(random.pick([1, 3_600, DAY, 8 * DAY, 31 * DAY]))
  }

  const reorganise = async (): Promise<void> => {
    const depth = Math.min(1 + random.below(5), chaos.depth() - floor)
    const mask = random.below(2 ** 30)
    if (depth > 0) await chaos.reorganise(depth, (index) => ((mask >> (index % 30)) & 1) === 1)
  }

  const disturb = async (): Promise<string> => {
    if (lies && random.chance(0.3)) {
      const isLying = random.chance(0.75)
      chaos.setLiar(isLying ? liar : undefined)
      return isLying ? 'lying node' : 'honest node'
    }
    const roll = random.next()
    if (roll < 0.3) {
      const weather = random.pick(weathers)
      chaos.setWeather(weather)
      return weather
    }
    if (roll < 0.45) {
      await reorganise()
      return 'reorganisation'
    }
    if (roll < 0.6) {
      await jumpClock()
      return 'clock jump'
    }
    if (roll < 0.65) {
      chaos.setDown(true)
      await turn()
      chaos.setDown(false)
      return 'node down'
    }
    if (roll < 0.85) {
      armed = random.pick(faultPoints)
      return `armed ${armed}`
    }
    const second = newEngine()
    const isForking = random.chance(0.5)
    const during = async (): Promise<void> => {
      // While the worker stands still its lease runs out, the chain may go another way, and another worker takes over.
      await expireLeases(world)
      if (isForking) await reorganise()
      for (let round = 0; round < 3; round += 1) {
        await second.runOnce().catch((error: unknown) => {
          if (!lies && !(error instanceof Crash) && !isWeather(error)) throw error
        })
      }
    }
    pause = { point: random.pick(pausePoints), during }
    return `paused at ${pause.point}`
  }

  for (let step = 0; step < steps; step += 1) {
    const what = random.chance(0.6) ? await act() : await disturb()
    count(what)
    await turn()
    trace.push(`${step} ${what} ${await snapshotOf(world)}`)
  }

  armed = undefined
  pause = undefined
  chaos.setWeather('fair')
  chaos.setLiar(undefined)
  engine = newEngine()
  while (unwatched.length > 0) await watchNext()
  for (let round = 0; round < HEAL_ROUNDS && (await openIntents(world)) > 0; round += 1) {
    await db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
    await chaos.mine()
    // What was sent is looked after only in a round that finds nothing new.
    for (let turns = 0; turns < 3 && (await engine.runOnce()); turns += 1);
  }
  // One more block makes sure that whatever fork came last is noticed.
  await chaos.mine()
  const restless = await comeToRest(engine)
  counts.stuck = await openIntents(world)
  const { SETTLED = 0n, REJECTED = 0n } = await statusesOf(world)
  counts.settled = Number(SETTLED)
  counts.rejected = Number(REJECTED)
  trace.push(await snapshotOf(world))
  const ofWorld = [
    ...breachOf('the engine comes to rest', restless),
    ...(await auditClosedWorld(world, engine, lies)),
    ...breachOf('what the chain would have taken was rejected', wronged),
  ]
  let ofBooks = await checkInvariants({ db, chain: chaos.chain })
  // What a node leaves out of a new wallet's past, and what changed no balance, is found by the audit. The operator then has
  // the blocks compared again.
  if (lies && ofWorld.length === 0 && ofBooks.length > 0 && ofBooks.every(isOfMissingEvents)) {
    count('gap without effect')
    await rereadAll(world, engine)
    ofBooks = await checkInvariants({ db, chain: chaos.chain })
  }
  return { seed, trace, counts, breaches: [...ofBooks, ...ofWorld] }
}

const isOfMissingEvents = ({ rows }: Breach): boolean => rows.every((row) => 'missing' in row)

/** The node did not respond, or reported that it could not be reached; never a wrong result. */
const isWeather = (error: unknown): boolean =>
  /node is down|never arrived/.test(
    String(error instanceof Error ? `${error.message} ${error.cause}` : error),
  )
