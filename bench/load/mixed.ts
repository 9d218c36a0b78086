import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { prepareCast } from '../../e2e/steady/cast.ts'
import { createSteadyClient, type SteadyClient } from '../../e2e/steady/steady-client.ts'
import { tellStory } from '../../e2e/steady/story.ts'
import { openClients, type Request } from '../measuring/client.ts'
import { atLeast, atMost, type Row } from '../measuring/rows.ts'
import { type Market, openMarket } from './market.ts'
import { hiresOf, readsOf } from './requests.ts'
import { memoryMbOf } from './traffic.ts'

const SECONDS = 60
/** The heap of a process that is new to this grows until then. */
const WARM_UP_SECONDS = 60
/** 64 clients: each calls again as soon as it has its response, streams wait for what comes. */
const clients = { reading: 40, hiring: 12, signingIn: 4, dealing: 4, streaming: 4 }
const goals = { p99ToP50: 5, dealsPerMinute: 60, memoryGrowth: 1.15 }
const FUNDS_MICRO = 10n ** 13n

interface Timed {
  ms: number[]
  failed: number
}

/** P13: everything at once. Reads stay even while hires, sign-ins, streams and payments on both rails go on beside them. */
export async function benchMixed(size = { agents: 10_000, jobs: 100_000 }): Promise<Row[]> {
  const market = await openMarket(size)
  const { service } = market
  const ended = new AbortController()
  const { signal } = ended
  try {
    const people = await Promise.all([newPerson(market), newPerson(market)])
    const [buyer, seller] = people
    const agent = { name: 'Steady Stork', description: 'Delivers, whatever happens.' }
    const { cast } = await prepareCast({ buyer, seller, agent, fundsMicro: FUNDS_MICRO })
    const events = { count: 0 }
    const streams = Array.from({ length: clients.streaming }, (_, index) =>
      follow(service.url, people[index % 2] ?? buyer, events, signal),
    )
    let [deals, signIns] = [0, 0]
    const dealers = Array.from({ length: clients.dealing }, async (_, dealer) => {
      for (let turn = dealer; !signal.aborted; turn += 1, deals += 1)
        await tellStory(cast, turn % 2 === 0 ? 100_000_000n + BigInt(turn) : 1_000_000n + BigInt(turn))
    })
    const visitors = Array.from({ length: clients.signingIn }, async () => {
      for (; !signal.aborted; signIns += 1) await newPerson(market)
    })
    const reads = await repeat(service.url, clients.reading, readsOf(market), signal)
    const hires = await repeat(service.url, clients.hiring, hiresOf(market), signal)

    await delay(WARM_UP_SECONDS * 1000)
    const memoryBefore = memoryMbOf(market)
    const marks = { reads: reads.timed.ms.length, hires: hires.timed.ms.length, deals, signIns }
    await delay(SECONDS * 1000)
    const memoryAfter = memoryMbOf(market)
    const counted = { deals: deals - marks.deals, signIns: signIns - marks.signIns, events: events.count }
    const [readMs, hireMs] = [reads.timed.ms.slice(marks.reads), hires.timed.ms.slice(marks.hires)]
    ended.abort()
    await Promise.all([...dealers, ...visitors, ...streams, reads.done, hires.done])

    const [p50, p99, p999] = percentiles(readMs)
    const [hireP50, hireP99] = percentiles(hireMs)
    const failed = reads.timed.failed + hires.timed.failed
    return [
      atMost(
        'P13',
        'reads beside hires, sign-ins, streams and payments, 64 clients for a minute, p99 to p50',
        p99 / p50,
        goals.p99ToP50,
        `reads: ${Math.round(readMs.length / SECONDS)}/s, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, p99.9 ${p999.toFixed(1)} ms; ` +
          `hires: ${Math.round(hireMs.length / SECONDS)}/s, p50 ${hireP50.toFixed(1)}, p99 ${hireP99.toFixed(1)} ms; ` +
          `${counted.signIns} sign-ins, ${counted.deals} jobs from hire to payment, ${counted.events} events`,
      ),
      atMost(
        'P13',
        'hires of it, p99 to p50',
        hireP99 / hireP50,
        goals.p99ToP50,
        `${Math.round(hireMs.length / SECONDS)}/s`,
      ),
      atLeast(
        'P13',
        'jobs from hire to payment beside them, in a minute',
        counted.deals,
        goals.dealsPerMinute,
        `${counted.deals}`,
      ),
      atMost(
        'P13',
        'memory after the minute to before it',
        memoryAfter / memoryBefore,
        goals.memoryGrowth,
        `${memoryBefore} to ${memoryAfter} MB`,
      ),
      atMost('P13', 'reads and hires of it that were refused or failed', failed, 0, `${failed}`),
    ]
  } finally {
    ended.abort()
    await market.close()
  }
}

const newPerson = ({ service }: Market): Promise<SteadyClient> =>
  createSteadyClient({
    wallet: privateKeyToAccount(generatePrivateKey()),
    figures: { acknowledged: 0, repeated: 0 },
    send: (path, init) => fetch(service.url + path, init),
    beforeRepeat: () => delay(100),
  })

/** So many clients, each with its next request as soon as the last has a response. */
async function repeat(url: string, count: number, next: () => Request, signal: AbortSignal) {
  const timed: Timed = { ms: [], failed: 0 }
  const opened = await openClients(url, count)
  const done = Promise.all(
    opened.map(async (client) => {
      while (!signal.aborted) {
        const startedMs = performance.now()
        const status = await client.send(next())
        if (status >= 200 && status < 300) timed.ms.push(performance.now() - startedMs)
        else timed.failed += 1
      }
      client.close()
    }),
  )
  return { timed, done }
}

async function follow(
  url: string,
  { token }: SteadyClient,
  events: { count: number },
  signal: AbortSignal,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await fetch(`${url}/api/notifications/stream`, { headers, signal })
  try {
    for await (const chunk of response.body ?? [])
      events.count += Buffer.from(chunk).toString('latin1').split('event: notification').length - 1
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function percentiles(ms: number[]): [number, number, number] {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
  return [at(0.5), at(0.99), at(0.999)]
}
