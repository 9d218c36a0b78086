import type { Hex } from '../../../ports/chain/port.ts'
import type { NewIntent } from '../../intents/intents.ts'
import { agents, clients, outsider, sellers } from '../closed-world.ts'
import { orderAction, orderDeposit, orderRuling, orderTransfer } from '../orders.ts'
import type { Workers, WorkersOptions } from './workers.ts'

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

type ActsOptions = Pick<WorkersOptions, 'world' | 'random' | 'lies' | 'stranger' | 'count'> & {
  workers: Workers
}

/** What people do with their money. Each returns what it was. */
export function createActs({ world, random, lies, stranger, count, workers }: ActsOptions) {
  const { db, chaos } = world
  const jobs: { key: Hex; plan: string[] }[] = []
  const unwatched = [...agents]
  let orders = 0

  const order = async (intent: NewIntent): Promise<void> => {
    await db.transaction((tx) => workers.engine().intents.create(tx, intent))
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

  const watch = (address: Hex): Promise<void> => db.transaction((tx) => workers.engine().watch(tx, address))

  const watchNext = async (): Promise<string> => {
    const agent = unwatched.shift()
    if (agent === undefined) return 'nothing to watch'
    await watch(agent.address)
    return 'watch'
  }

  return {
    /** What strangers send for clients and sellers is nobody's intent: it is in the books only where they are watched. */
    async watchPeople(): Promise<void> {
      for (const { address } of [...clients, ...sellers]) await watch(address)
      await workers.engine().runUntilIdle()
    },

    async act(): Promise<string> {
      const roll = random.next()
      if (roll < 0.7) return orderRandomly()
      return roll < 0.95 ? transferDirectly() : watchNext()
    },

    async watchTheRest(): Promise<void> {
      while (unwatched.length > 0) await watchNext()
    },
  }
}
