import { pino } from 'pino'
import { allInvariants } from '../../packages/server/src/invariants.ts'
import type { Invariant } from '../../packages/server/src/money/audit/invariant.ts'
import { moneyInvariants } from '../../packages/server/src/money/audit/invariants.ts'
import { createReconciler } from '../../packages/server/src/money/audit/reconciler.ts'
import { markFollowed } from '../../packages/server/src/money/following/watched-wallets.ts'
import { ownerIdOf } from '../agents-seed.ts'
import { measureDue } from './due.ts'
import { bigBuyer, bigSeller, hiredAgents, manySeller } from './fill.ts'
import type { BenchService } from './service.ts'
import { type Cost, time, timeAfter } from './time.ts'

const CHANGES = 100

const reads: Record<string, string> = {
  list: '/api/agents?limit=20',
  'search, type': '/api/agents/search?type=type3&sort=rating',
  'search, rating and price': '/api/agents/search?minRating=4&maxPrice=90000000&sort=jobs',
  'search, common word': '/api/agents/search?q=word0',
  'search, rarer word': '/api/agents/search?q=word150',
  'search, skills': '/api/agents/search?skills=skill3,skill23',
  'search, on time, in order': '/api/agents/search?minOnTimeRate=0.5&sort=onTime',
  'search, page 400 of a type': '/api/agents/search?type=type3&sort=rating&offset=8000',
  'search, two words': '/api/agents/search?q=word50+word100',
  'search, sentence': '/api/agents/search?q=I+need+word3+and+word5+with+word9+for+a+xylophone',
  'search, typing error': '/api/agents/search?q=servcie+for+word390+and+word350',
}

const ofBigSeller: Record<string, string> = {
  'earnings of the big seller': '/api/owners/earnings?limit=20',
  'earnings, highest first': '/api/owners/earnings?limit=20&sort=highest',
  'earnings, 30 days': '/api/owners/earnings/series?limit=20',
  'earnings by service': '/api/owners/earnings/breakdown?by=service',
  'jobs of the big seller': '/api/jobs?role=seller&limit=20',
  notifications: '/api/notifications?limit=20',
}

const ofOthers: readonly [owner: string, what: string, url: string][] = [
  [manySeller, 'earnings of 1,000 agents', '/api/owners/earnings?limit=20'],
  [manySeller, 'earnings of 1,000 agents, 30 days', '/api/owners/earnings/series?limit=20'],
  [bigBuyer, 'spending of the big buyer', '/api/owners/spending?limit=20'],
]

async function get({ http }: BenchService, url: string, authorization?: string): Promise<void> {
  const { statusCode, body } = await http.inject({ url, headers: authorization ? { authorization } : {} })
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}: ${body}`)
}

async function hire({ http, tokenOf }: BenchService, turn: number): Promise<void> {
  const { statusCode, body } = await http.inject({
    method: 'POST',
    url: '/api/jobs',
    headers: { authorization: await tokenOf(ownerIdOf(500 + (turn % 400))) },
    payload: {
      agentId: hiredAgents[turn % hiredAgents.length],
      title: `Reconcile month ${turn}`,
      description: 'Match 1,204 transfers with the attached invoices, and say which of them are missing.',
      category: 'finance',
      agreedPrice: '5000000',
      deadlineHours: 72,
    },
  })
  if (statusCode !== 201) throw new Error(`hiring returned ${statusCode}: ${body}`)
}

/** What each call and each turn of a recurring task costs now. */
export async function measureCosts(service: BenchService, wallets: readonly string[]): Promise<Cost[]> {
  const { deps, money, ticks } = service
  const { db, chain } = deps
  const costs: Cost[] = []
  // A parameter that nobody knows keeps every response out of the kept pages.
  for (const [what, url] of Object.entries(reads))
    costs.push(await time(what, (turn) => get(service, `${url}&run=${turn}`)))
  costs.push(await time('agent', (turn) => get(service, `/api/agents/${wallets[turn]}`)))
  const token = await service.tokenOf(bigSeller)
  for (const [what, url] of Object.entries(ofBigSeller))
    costs.push(await time(what, () => get(service, url, token)))
  for (const [owner, what, url] of ofOthers) {
    const theirs = await service.tokenOf(owner)
    costs.push(await time(what, () => get(service, url, theirs)))
  }
  costs.push(await time('job created', (turn) => hire(service, turn), 30))

  const alert = async (): Promise<void> => undefined
  const audit = (passMs: number, invariants: readonly Invariant[] = allInvariants) =>
    createReconciler({
      db,
      chain,
      log: pino({ level: 'silent' }),
      alert,
      invariants,
      passMs,
    })
  await money.runUntilIdle()
  await audit(0).run()
  costs.push(await time('audit, nothing changed', () => audit(0).run()))
  costs.push(
    await timeAfter(
      `audit, ${CHANGES} new jobs`,
      (turn) => hireMany(service, turn),
      () => audit(0).run(),
    ),
  )
  // Made-up agents have ratings without reviews, which their own rules would find.
  const slice = audit(Number.MIN_VALUE, moneyInvariants)
  costs.push(await time('audit, a slice of the full pass', () => slice.run()))
  costs.push(await time('indexer, a block', () => mineAndRead(service)))
  costs.push(await time('indexer, a block after a new wallet', (turn) => watchAndRead(service, turn)))
  for (const { name, handler } of ticks)
    costs.push(await time(`tick ${name}`, () => handler(new AbortController().signal), 3))
  return [...costs, ...(await measureDue(service))]
}

async function hireMany(service: BenchService, turn: number): Promise<void> {
  for (let count = 0; count < CHANGES; count += 1) await hire(service, turn * CHANGES + count)
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
