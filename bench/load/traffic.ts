import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, openClients, type Request } from '../measuring/client.ts'
import type { Market } from './market.ts'
import { hiresOf, readsOf } from './requests.ts'

export interface Rates {
  readsPerSecond: number
  hiresPerSecond: number
}

export interface Served {
  sentPerSecond: number
  /** Of the accepted. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Responses by status; 0 are connections that broke or calls that took longer than ten seconds. */
  statuses: Record<number, number>
}

const CLIENTS = 200
const READING_SHARE = 0.8

/** So many clients of both kinds, at a fixed rate. */
export async function sendTraffic(
  market: Market,
  { readsPerSecond, hiresPerSecond }: Rates,
  seconds: number,
  clients = CLIENTS,
): Promise<{ reads: Served; hires: Served }> {
  const reading = Math.round(clients * READING_SHARE)
  const { url } = market.service
  const readers = await openClients(url, Math.min(reading, readsPerSecond))
  const buyers = await openClients(url, Math.min(clients - reading, hiresPerSecond))
  const [reads, hires] = await Promise.all([
    sendAt(readers, readsOf(market), { rate: readsPerSecond, seconds }),
    sendAt(buyers, hiresOf(market), { rate: hiresPerSecond, seconds }),
  ])
  return { reads, hires }
}

/**
 * The requests are spread evenly over every second, whatever has become of those before: a service that is slow gets no
 * fewer. One that finds all clients waiting is not sent.
 */
async function sendAt(
  free: Client[],
  next: () => Request,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Served> {
  const statuses: Record<number, number> = {}
  const acceptedMs: number[] = []
  const underWay = new Set<Promise<void>>()
  let sent = 0

  const sendBy = async (client: Client): Promise<void> => {
    const startedMs = performance.now()
    const status = await client.send(next())
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status >= 200 && status < 300) acceptedMs.push(performance.now() - startedMs)
    free.push(client)
  }

  const startedMs = performance.now()
  for (let due = 0; due < rate * seconds; ) {
    const dueByNow = Math.min(((performance.now() - startedMs) * rate) / 1000, rate * seconds)
    for (; due < dueByNow; due += 1) {
      const client = free.shift()
      if (client === undefined) continue
      sent += 1
      const done = sendBy(client).finally(() => underWay.delete(done))
      underWay.add(done)
    }
    await delay(1)
  }
  await Promise.all(underWay)
  for (const client of free) client.close()

  const sorted = acceptedMs.sort((a, b) => a - b)
  const percentile = (share: number): number =>
    Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.MAX_SAFE_INTEGER)
  return {
    sentPerSecond: Math.round(sent / seconds),
    perSecond: Math.round(acceptedMs.length / seconds),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    statuses,
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
