import { markFollowed } from '../../packages/server/src/money/following/watched-wallets.ts'
import { measureAudits } from './audits.ts'
import { measureCalls } from './calls.ts'
import { measureDue } from './due.ts'
import type { BenchService } from './service.ts'
import { type Cost, time } from './time.ts'

const TICK_RUNS = 3
/** A turn of it takes all of its time for the full pass; its parts are measured by themselves. */
const AUDIT = 'audit'

/** What each call and each turn of a recurring task costs now. */
export async function measureCosts(service: BenchService, wallets: readonly string[]): Promise<Cost[]> {
  const costs = await measureCalls(service, wallets)
  costs.push(...(await measureAudits(service)))
  costs.push(await time('indexer, a block', () => mineAndRead(service)))
  costs.push(await time('indexer, a block after a new wallet', (turn) => watchAndRead(service, turn)))
  for (const name of service.queue.tickNames().filter((tick) => tick !== AUDIT))
    costs.push(await time(`tick ${name}`, () => service.queue.runTicks([name]), TICK_RUNS))
  return [...costs, ...(await measureDue(service))]
}

async function mineAndRead({ deps, money }: BenchService): Promise<void> {
  await deps.sandbox?.chain?.advanceTime(1)
  if (!(await money.readOn())) throw new Error('the books do not follow the chain')
}

async function watchAndRead(service: BenchService, turn: number): Promise<void> {
  const address = `0xbb${turn.toString(16).padStart(38, '0')}`
  await service.deps.db.transaction((tx) => service.money.watch(tx, address))
  await markFollowed(service.deps.db, {
    chainId: service.deps.chain.facts.chainId,
    addresses: [address],
    sinceBlock: 0n,
  })
  await mineAndRead(service)
}
