import { setTimeout as pause } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { signIn } from '../../packages/server/src/testing/sign-in.ts'
import { agentIdOf, ownerIdOf, walletOf } from '../agents-seed.ts'
import { busySeller, makeMinutesDue } from './busy-days.ts'
import { bigBuyer, bigBuyersJob, bigSeller, hiredAgents, manySeller } from './fill.ts'
import type { BenchService } from './service.ts'
import { type Cost, time, timeAfter } from './time.ts'
import { REVIEWED_AGENT } from './work.ts'

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
  'reviews of an agent': `/api/agents/${walletOf(REVIEWED_AGENT)}/reviews?limit=20`,
}

const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 24 * 3600_000).toISOString().slice(0, 10)

const ofOwners: readonly [owner: string, what: string, url: string][] = [
  [bigSeller, 'earnings of the big seller', '/api/owners/earnings?limit=20'],
  [bigSeller, 'earnings, highest first', '/api/owners/earnings?limit=20&sort=highest'],
  [
    bigSeller,
    'earnings, highest of 30 days',
    `/api/owners/earnings?limit=20&sort=highest&startDate=${daysAgo(30)}`,
  ],
  [bigSeller, 'earnings, of a source with none', '/api/owners/earnings?limit=20&source=ESCROW'],
  [bigSeller, 'earnings, 30 days', '/api/owners/earnings/series?limit=20'],
  [bigSeller, 'earnings by service', '/api/owners/earnings/breakdown?by=service'],
  [bigSeller, 'jobs of the big seller', '/api/jobs?role=seller&limit=20'],
  [bigSeller, 'notifications', '/api/notifications?limit=20'],
  [bigSeller, 'events', '/api/events?limit=20'],
  [manySeller, 'earnings of 1,000 agents', '/api/owners/earnings?limit=20'],
  [manySeller, 'earnings of 1,000 agents, 30 days', '/api/owners/earnings/series?limit=20'],
  [bigBuyer, 'spending of the big buyer', '/api/owners/spending?limit=20'],
  [bigBuyer, 'spending on one agent', `/api/owners/spending?limit=20&agentId=${agentIdOf(3)}`],
  [bigBuyer, 'spending on plans, of which there are none', '/api/owners/spending?limit=20&kind=SUBSCRIPTION'],
  [
    bigBuyer,
    'spending from within a day',
    `/api/owners/spending?limit=20&startDate=${daysAgo(20)}T10:00:00Z`,
  ],
  [bigBuyer, 'job', `/api/jobs/${bigBuyersJob}`],
  [bigBuyer, 'messages of a job', `/api/jobs/${bigBuyersJob}/messages`],
]

/** Of these only the first bytes are waited for. */
const streams: readonly [owner: string, what: string, url: string][] = [
  [bigSeller, 'notification stream, opened', '/api/notifications/stream'],
  [bigSeller, 'jobs as CSV, first bytes', '/api/jobs.csv?role=seller'],
  [bigSeller, 'earnings as CSV, first bytes', '/api/owners/earnings.csv'],
  [bigBuyer, 'spending as CSV, first bytes', '/api/owners/spending.csv'],
]

/** What each call costs now. */
export async function measureCalls(service: BenchService, wallets: readonly string[]): Promise<Cost[]> {
  const costs: Cost[] = []
  // A parameter that nobody knows keeps every response out of the kept pages.
  for (const [what, url] of Object.entries(reads))
    costs.push(await time(what, (turn) => get(service, `${url}&run=${turn}`)))
  costs.push(await time('agent', (turn) => get(service, `/api/agents/${wallets[turn]}`)))
  for (const [owner, what, url] of ofOwners) {
    const token = await service.tokenOf(owner)
    costs.push(await time(what, () => get(service, url, token)))
  }
  const token = await service.tokenOf(busySeller)
  costs.push(
    await timeAfter(
      'earnings, a payment later on a busy day',
      () => service.deps.db.run(makeMinutesDue(1)),
      () => get(service, '/api/owners/earnings?limit=20', token),
    ),
  )
  for (const [owner, what, url] of streams) {
    const token = await service.tokenOf(owner)
    // The server closes the one before it a moment after its reader has gone, and an owner may have two.
    const closed = () => pause(1000)
    costs.push(await timeAfter(what, closed, () => readFirst(service, url, token)))
  }
  const wallet = privateKeyToAccount(`0x${'5'.repeat(64)}`)
  costs.push(await time('sign-in, with its signature', () => signIn(service.http, wallet)))
  costs.push(await time('job created', (turn) => hire(service, turn), 30))
  return costs
}

async function get({ http }: BenchService, url: string, authorization?: string): Promise<void> {
  const { statusCode, body } = await http.inject({ url, headers: authorization ? { authorization } : {} })
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}: ${body}`)
}

async function readFirst({ origin }: BenchService, url: string, authorization: string): Promise<void> {
  const response = await fetch(`${origin}${url}`, { headers: { authorization } })
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}`)
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
}

export async function hire({ http, tokenOf }: BenchService, turn: number): Promise<void> {
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
