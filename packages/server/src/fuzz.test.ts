import { monitorEventLoopDelay } from 'node:perf_hooks'
import { formMediaTypes } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from './platform/db/sql.ts'
import { createAnswerCheck } from './testing/fuzz/answers.ts'
import { badInputsTo } from './testing/fuzz/bad-input.ts'
import { type Operation, readDocument } from './testing/fuzz/document.ts'
import { type FuzzedService, startFuzzedService } from './testing/fuzz/people.ts'
import { requestsTo } from './testing/fuzz/requests.ts'
import { createValues } from './testing/fuzz/values.ts'

/**
 * The documents that the server hands out are held against the server itself. Every operation in them is sent requests
 * that fit and requests that are broken. Whatever comes: no 5xx, and an answer that is in the document by its status, type,
 * headers and body.
 */
const FIXED_SEED = 20_261_115
const randomSeed = Math.floor(Math.random() * 2 ** 31)
/** A long run (`npm run test:fuzz`) sends so many requests in place of the short ones. */
const longRun = Number(process.env.FUZZ_REQUESTS ?? 0)
const longSeed = Number(process.env.FUZZ_SEED ?? randomSeed)
/** How long the event loop may stand still for one request, in the slowest of a hundred. */
const MAX_DELAY_P99_MS = 50
const documents = [
  { url: '/openapi.json', accept: 'application/json', runs: 20 },
  { url: '/openapi/v1.json', accept: formMediaTypes.a, runs: 8 },
  { url: '/openapi/v2.json', accept: formMediaTypes.b, runs: 8 },
]

let service: FuzzedService
const readings = new Map<string, Awaited<ReturnType<typeof read>>>()
beforeAll(async () => {
  service = await startFuzzedService()
  for (const { url } of documents) readings.set(url, await read(url))
})
afterAll(() => service.app.close())

async function read(url: string) {
  const document = await readDocument(service.app.http, url)
  expect(document.operations.length).toBeGreaterThan(80)
  return {
    document,
    values: createValues(document, service.known),
    checkAnswer: createAnswerCheck(document),
  }
}

function reading(url: string) {
  const found = readings.get(url)
  if (!found) throw new Error(`${url} was not read`)
  return found
}

/** Sends `runs` requests to every operation of the document, and holds each response against it. */
async function fuzz({ url, accept }: { url: string; accept: string }, runs: number, seed: number) {
  const { document, values, checkAnswer } = reading(url)
  const sent: { status: number; cpuMs: number }[] = []
  for (const operation of document.operations) {
    await fc.assert(
      fc.asyncProperty(requestsTo(operation, values), async ({ caller, ...request }) => {
        const headers = { accept, ...request.headers, ...service.headersOf(caller) }
        const before = cpuUsage()
        const answer = await send(operation, { ...request, headers })
        const { user, system } = cpuUsage(before)
        checkAnswer(operation, answer, seen(operation, answer))
        sent.push({ status: answer.statusCode, cpuMs: (user + system) / 1000 })
      }),
      { seed, numRuns: runs },
    )
    // A request may end the session that all the others use.
    if (operation.method !== 'GET') await service.restore()
  }
  return sent
}

const cpuUsage = (process.threadCpuUsage ?? process.cpuUsage).bind(process)
const figures = (...[p50 = 0, p99 = 0, most = 0]: number[]) =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms`

describe.runIf(longRun > 0)(`a long run with the seed ${longSeed}`, () => {
  test(`${longRun} requests: every response is as the documents say, and the event loop is free`, async () => {
    // The delay that a timer sees also holds the work of the sender, which shares the process, and of other programs. What
    // the service itself does to the loop is the processor time of this thread while a request is under way.
    const delay = monitorEventLoopDelay({ resolution: 10 })
    const operations = documents.reduce((sum, { url }) => sum + reading(url).document.operations.length, 0)
    delay.enable()
    const sent: Awaited<ReturnType<typeof fuzz>> = []
    for (const document of documents) {
      sent.push(...(await fuzz(document, Math.ceil(longRun / operations), longSeed)))
    }
    delay.disable()
    const times = sent.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    const statuses = [...new Set(sent.map(({ status }) => status))].sort()
    const counts = statuses.map((code) => `${code}: ${sent.filter(({ status }) => status === code).length}`)
    process.stdout.write(
      `${sent.length} requests, ${counts.join(', ')}\n` +
        `event loop held by a request: ${figures(at(0.5), at(0.99), at(1))}\n` +
        `delay of a timer beside them: ${figures(...([50, 99, 100] as const).map((p) => delay.percentile(p) / 1e6))}\n`,
    )
    expect(sent.length).toBeGreaterThanOrEqual(longRun)
    expect(at(0.99)).toBeLessThan(MAX_DELAY_P99_MS)
  }, 3_600_000)
})

describe.runIf(longRun === 0).each([
  ['fixed', FIXED_SEED],
  ['random', randomSeed],
])('fuzz with the %s seed %i', (_name, seed) => {
  test.each(documents)(
    'every answer is as $url says',
    async ({ runs, ...document }) => {
      await fuzz(document, runs, seed)
    },
    120_000,
  )

  test('bad input gets the refusal that is documented, and nothing is written', async () => {
    const { document, values, checkAnswer } = reading('/openapi.json')
    const before = await countRows()
    let count = 0
    for (const operation of document.operations) {
      for (const { name, statuses, ...request } of badInputsTo(operation, document, values, seed)) {
        const headers = { ...request.headers, ...service.headersOf('admin') }
        const answer = await send(operation, { ...request, headers })
        const told = `${name}: ${seen(operation, answer)}`
        expect(statuses, told).toContain(answer.statusCode)
        checkAnswer(operation, answer, told)
        count += 1
      }
    }
    expect(count).toBeGreaterThan(500)
    expect(await countRows()).toEqual(before)
  }, 120_000)
})

interface Sent {
  url: string
  headers: Record<string, string>
  payload: string | Buffer | undefined
}

function send({ method }: Operation, { url, headers, payload }: Sent) {
  return service.app.http.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
}

function seen({ id }: Operation, { statusCode, body }: { statusCode: number; body: string }): string {
  return `${id} ${statusCode} ${body.slice(0, 300)}`
}

async function countRows(): Promise<Record<string, bigint>> {
  const tables = await service.app.db.rows<{ name: string; rows: bigint }>(sql`
    select table_name as name,
           (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', table_name), true, true, '')))[1]::text::bigint as rows
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
}
