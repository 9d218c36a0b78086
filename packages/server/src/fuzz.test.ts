import { formMediaTypes } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from './platform/db/sql.ts'
import { badInputsTo } from './testing/fuzz/bad-input.ts'
import { startFuzzedService } from './testing/fuzz/people.ts'
import { type Reading, readFor, seen, send, walk } from './testing/fuzz/walk.ts'

/**
 * The documents that the server hands out are held against the server itself. Every operation in them is sent requests
 * that fit and requests that are broken. Whatever comes: no 5xx, and a response that is in the document by its status, type,
 * headers and body.
 */
const { seed = 1 } = fc.readConfigureGlobal()
const documents = [
  { url: '/openapi.json', accept: 'application/json', runs: 6 },
  { url: '/openapi/v1.json', accept: formMediaTypes.a, runs: 5 },
  { url: '/openapi/v2.json', accept: formMediaTypes.b, runs: 5 },
]

let service: Awaited<ReturnType<typeof startFuzzedService>>
const readings = new Map<string, Reading>()
beforeAll(async () => {
  service = await startFuzzedService()
  for (const { url } of documents) readings.set(url, await readFor(service, url))
})
afterAll(() => service.app.close())

function reading(url: string): Reading {
  const found = readings.get(url)
  if (!found) throw new Error(`${url} was not read`)
  return found
}

describe(`fuzz with the seed ${seed}`, () => {
  test.each(documents)('every response is as $url says', ({ url, accept, runs }) =>
    walk(service, reading(url), { accept, runs, seed }),
  )

  test('bad input gets the refusal that is documented, and nothing is written', async () => {
    const { document, values, checkResponse } = reading('/openapi.json')
    const before = await countRows()
    let count = 0
    for (const operation of document.operations) {
      for (const { name, statuses, ...request } of badInputsTo(operation, document, values, seed)) {
        const headers = { ...request.headers, ...service.headersOf('admin') }
        const response = await send(service, operation, { ...request, headers })
        const told = `${name}: ${seen(operation, response)}`
        expect(statuses, told).toContain(response.statusCode)
        checkResponse(operation, response, told)
        count += 1
      }
    }
    expect(count).toBeGreaterThan(500)
    expect(await countRows()).toEqual(before)
  })
})

async function countRows(): Promise<Record<string, bigint>> {
  const tables = await service.app.db.rows<{ name: string; rows: bigint }>(sql`
    select table_name as name,
           (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', table_name), true, true, '')))[1]::text::bigint as rows
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
}
