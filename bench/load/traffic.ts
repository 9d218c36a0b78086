import { readdirSync, readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { Request } from '../measuring/compare.ts'
import { agentIdOf, type Market } from './market.ts'

export interface Rates {
  readsPerSecond: number
  hiresPerSecond: number
}

export interface Served {
  perSecond: number
  p99Ms: number
  /** Responses by status; 0 are connections that broke or calls that took longer than ten seconds. */
  statuses: Record<number, number>
}

const CLIENTS = 200
const READING_SHARE = 0.8

/** The clients of both kinds at a fixed rate: who is slow gets no fewer requests. */
export async function sendTraffic(
  market: Market,
  { readsPerSecond, hiresPerSecond }: Rates,
  seconds: number,
  clients = CLIENTS,
): Promise<{ reads: Served; hires: Served }> {
  const reading = Math.round(clients * READING_SHARE)
  const [reads, hires] = await Promise.all([
    sendAt(market, readsOf(market), { rate: readsPerSecond, clients: reading, seconds }),
    sendAt(market, hiresOf(market), { rate: hiresPerSecond, clients: clients - reading, seconds }),
  ])
  return { reads, hires }
}

async function sendAt(
  { service }: Market,
  next: () => Request,
  { rate, clients, seconds }: { rate: number; clients: number; seconds: number },
): Promise<Served> {
  const statuses: Record<number, number> = {}
  const acceptedMs: number[] = []
  const options = {
    url: service.url,
    connections: Math.min(clients, rate),
    overallRate: rate,
    duration: seconds,
    requests: [{ setupRequest: (request: autocannon.Request) => ({ ...request, ...next() }) }],
  }
  const { errors, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)))
    run.on('response', (_client, status, _bytes, ms) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status < 300) acceptedMs.push(ms)
    })
  })
  if (errors > 0) statuses[0] = errors
  const sorted = acceptedMs.sort((a, b) => a - b)
  return {
    perSecond: Math.round(acceptedMs.length / duration),
    p99Ms: Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.MAX_SAFE_INTEGER),
    statuses,
  }
}

/** Lists, profiles and searches, all of them different. */
function readsOf({ wallets }: Market): () => Request {
  let turn = 0
  return () => {
    turn += 1
    if (turn % 10 < 3) return { path: `/api/agents?limit=${20 + (turn % 5)}` }
    if (turn % 10 < 9) return { path: `/api/agents/${wallets[turn % wallets.length]}` }
    return { path: `/api/agents/search?type=type${turn % 12}&sort=rating&offset=${turn % 100}` }
  }
}

/** Every fiftieth agent is not approved. */
const approvedOf = (index: number): number => (index % 50 === 0 ? index - 1 : index)

function hiresOf({ tokens, agents }: Market): () => Request {
  let turn = 0
  return () => {
    turn += 1
    return {
      path: '/api/jobs',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokens[turn % tokens.length]}`,
        'idempotency-key': `load-${process.hrtime.bigint()}`,
      },
      body: JSON.stringify({
        agentId: agentIdOf(approvedOf(1 + ((turn * 7) % agents))),
        title: `Reconcile month ${turn}`,
        description: 'Match 1,204 transfers with the attached invoices, and say which are missing.',
        agreedPrice: turn % 2 === 0 ? '5000000' : '150000000',
      }),
    }
  }
}

/** Those that are no success, or are not among the expected refusals. */
export const countOther = ({ statuses }: Served, expected: readonly number[] = []): number =>
  Object.entries(statuses)
    .filter(
      ([status]) => !(Number(status) >= 200 && Number(status) < 300) && !expected.includes(Number(status)),
    )
    .reduce((sum, [, count]) => sum + count, 0)

export function memoryMbOf({ service }: Pick<Market, 'service'>): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024)
}

export const openFilesOf = ({ service }: Pick<Market, 'service'>): number =>
  readdirSync(`/proc/${service.process.pid}/fd`).length
