import { formMediaTypes } from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import { readFor, walk } from './testing/fuzz/walk.ts'
import type { LoopReport } from './testing/fuzz/watch-event-loop.ts'
import { startWatchedService } from './testing/fuzz/watched-service.ts'

/**
 * `npm run test:fuzz`: the requests of fuzz.test.ts by the thousand, over the network, to a service in a process of its
 * own. What is measured is the event loop of that process, from inside.
 */
const requests = Number(process.env.FUZZ_REQUESTS ?? 0)
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
const MAX_P99_MS = 50
const documents = [
  { url: '/openapi.json', accept: 'application/json' },
  { url: '/openapi/v1.json', accept: formMediaTypes.a },
  { url: '/openapi/v2.json', accept: formMediaTypes.b },
]
/** It would start the service over, and with it forget everybody. */
const LEFT_OUT = 'resetSandbox'

const figures = (p50: number, p99: number, max: number) =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms`

describe.runIf(requests > 0)(`a long run with the seed ${seed}`, () => {
  test(`${requests} requests: every response is as documented, and the event loop is free`, async () => {
    await using running = await startDisposable()
    const { service } = running
    const readings = await Promise.all(documents.map(({ url }) => readFor(service, url)))
    for (const { document } of readings)
      document.operations = document.operations.filter(({ id }) => id !== LEFT_OUT)
    const operations = readings.reduce((sum, { document }) => sum + document.operations.length, 0)

    const sent: Sent[] = []
    const responseMs: number[] = []
    let sentAtMs = 0
    for (const [index, { accept }] of documents.entries()) {
      const reading = readings[index]
      if (!reading) throw new Error('a document was not read')
      await walk(service, reading, {
        accept,
        runs: Math.ceil(requests / operations),
        seed,
        async onSend() {
          await service.report()
          sentAtMs = performance.now()
        },
        async onResponse({ id }, status) {
          responseMs.push(performance.now() - sentAtMs)
          sent.push({ id, status, ...(await service.report()) })
        },
      })
    }
    const { delayMs } = await service.report()
    const cpuAt = quantilesOf(sent.map(({ cpuMs }) => cpuMs))
    const responseAt = quantilesOf(responseMs)
    process.stdout.write(
      [
        `${sent.length} requests: ${countsOf(sent)}`,
        `event-loop delay in the service's process: ${figures(delayMs.p50, delayMs.p99, delayMs.max)}`,
        `processor time of its event loop per request: ${figures(cpuAt(0.5), cpuAt(0.99), cpuAt(1))}`,
        `time of responses: ${figures(responseAt(0.5), responseAt(0.99), responseAt(1))}`,
        `most delay: ${most(sent, 'lateMs')}`,
        `most processor time: ${most(sent, 'cpuMs')}`,
        '',
      ].join('\n'),
    )
    expect(sent.length).toBeGreaterThanOrEqual(requests)
    expect(delayMs.p99).toBeLessThan(MAX_P99_MS)
    expect(cpuAt(0.99)).toBeLessThan(MAX_P99_MS)
  }, 3_600_000)
})

type Sent = LoopReport & { id: string; status: number }

function quantilesOf(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b)
  return (share) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
}

function countsOf(sent: readonly Sent[]): string {
  const byStatus = [...Map.groupBy(sent, ({ status }) => status)].sort(([a], [b]) => a - b)
  return byStatus.map(([status, all]) => `${all.length} × ${status}`).join(', ')
}

function most(sent: readonly Sent[], figure: 'lateMs' | 'cpuMs'): string {
  const worst = sent.toSorted((a, b) => b[figure] - a[figure]).slice(0, 8)
  return worst.map((one) => `${one.id} ${one.status} ${one[figure].toFixed(0)} ms`).join(', ')
}

async function startDisposable() {
  const service = await startWatchedService()
  return { service, [Symbol.asyncDispose]: () => service.close() }
}
