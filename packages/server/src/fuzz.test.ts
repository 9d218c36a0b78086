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

describe.each([
  ['fixed', FIXED_SEED],
  ['random', randomSeed],
])('fuzz with the %s seed %i', (_name, seed) => {
  test.each(documents)(
    'every answer is as $url says',
    async ({ url, accept, runs }) => {
      const { document, values, checkAnswer } = reading(url)
      for (const operation of document.operations) {
        await fc.assert(
          fc.asyncProperty(requestsTo(operation, values), async ({ caller, ...request }) => {
            const headers = { accept, ...request.headers, ...service.headersOf(caller) }
            const answer = await send(operation, { ...request, headers })
            checkAnswer(operation, answer, seen(operation, answer))
          }),
          { seed, numRuns: runs },
        )
        // A request may end the session that all the others use.
        if (operation.method !== 'GET') await service.restore()
      }
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
