import fc from 'fast-check'
import type { Operation, Parameter } from './document.ts'
import type { Values } from './values.ts'

export type Caller = 'nobody' | 'buyer' | 'admin'

export interface FuzzedRequest {
  caller: Caller
  url: string
  headers: Record<string, string>
  payload: string | undefined
}

/** Requests to one operation: half of them fit the document, the others are broken somewhere. */
export function requestsTo(operation: Operation, values: Values): fc.Arbitrary<FuzzedRequest> {
  const callers: Caller[] = operation.isStream ? ['nobody'] : ['nobody', 'buyer', 'admin', 'admin']
  return fc.oneof(
    requestOf(operation, values.fitting, fc.constant('application/json'), callers),
    requestOf(operation, values.mutated, contentType, callers, brokenPayload),
  )
}

function requestOf(
  operation: Operation,
  fill: Values['fitting'],
  type: fc.Arbitrary<string>,
  callers: Caller[],
  broken?: fc.Arbitrary<string>,
): fc.Arbitrary<FuzzedRequest> {
  return fc
    .record({
      path: recordOf(operation, 'path', fill),
      query: broken
        ? fc.oneof(recordOf(operation, 'query', fill), fc.dictionary(fc.string(), fc.string()))
        : recordOf(operation, 'query', fill),
      headers: recordOf(operation, 'header', fill),
      payload: payloadOf(operation, fill, broken),
      caller: fc.constantFrom(...callers),
      type,
    })
    .map(({ path, query, headers, payload, caller, type }) => ({
      caller,
      url: urlOf(operation.path, path, query),
      headers: headersOf(headers, payload === undefined ? undefined : type),
      payload,
    }))
}

function recordOf(
  { path, parameters }: Operation,
  place: Parameter['in'],
  fill: Values['fitting'],
): fc.Arbitrary<Record<string, unknown>> {
  const own = parameters.filter((parameter) => parameter.in === place)
  const parts = own.map(({ name, schema }) => [name, fill(schema, fullNameOf(path, name))])
  return fc.record(Object.fromEntries(parts), {
    requiredKeys: own.filter(({ required }) => required).map(({ name }) => name),
  })
}

/** The `id` of a path is named after the collection in front of it: a `jobId` in `/api/jobs/{id}`. */
export function fullNameOf(path: string, name: string): string {
  const collection = path.match(/(\w+)s\/\{id\}/)?.[1]
  return name === 'id' && collection ? `${collection}Id` : name
}

function payloadOf(
  { body }: Operation,
  fill: Values['fitting'],
  broken?: fc.Arbitrary<string>,
): fc.Arbitrary<string | undefined> {
  if (!body) return fc.constant(undefined)
  const written = fill(body.schema).map((value) => JSON.stringify(value))
  const options: fc.WeightedArbitrary<string | undefined>[] = [{ weight: 8, arbitrary: written }]
  if (broken) options.push({ weight: 4, arbitrary: broken })
  if (broken || !body.required) options.push({ weight: 1, arbitrary: fc.constant(undefined) })
  return fc.oneof(...options)
}

const contentType = fc.oneof(
  { weight: 9, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=latin1', 'x'),
  },
)

const brokenPayload = fc.oneof(
  fc.constantFrom('', '{', 'null', '[]', '"x"', '1e999', '{"a":"\\u0000"}', '{"a":"\\ud800"}'),
  fc.constant(`${'['.repeat(99)}${']'.repeat(99)}`),
  fc.json(),
  fc.string(),
)

/** Only text that HTTP can carry in a header. */
function headersOf(values: Record<string, unknown>, contentType: string | undefined): Record<string, string> {
  const headers = Object.entries(values).map(([name, value]) => {
    return [name.toLowerCase(), String(value).replaceAll(/[^\x20-\x7e]/g, '?')]
  })
  return {
    ...Object.fromEntries(headers),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  }
}

/** Clients resolve `.` and `..` before they send, and with an empty segment the address is another operation's. */
const segmentOf = (value: string) => (/^\.{0,2}$/.test(value) ? `${value}-` : value)

export function urlOf(path: string, values: Record<string, unknown>, query: Record<string, unknown>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name) =>
    encodeURIComponent(segmentOf(String(values[name]).toWellFormed())),
  )
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const search = new URLSearchParams(pairs).toString()
  return search ? `${filled}?${search}` : filled
}
