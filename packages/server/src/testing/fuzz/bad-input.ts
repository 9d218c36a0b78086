import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from '@agent-marketplace/contract'
import fc from 'fast-check'
import type { Document, JsonSchema, Operation, Parameter } from './document.ts'
import { fullNameOf, urlOf } from './requests.ts'
import type { Values } from './values.ts'

export interface BadInput {
  name: string
  url: string
  headers: Record<string, string>
  payload: string | Buffer | undefined
  /** What the response must be; where more than one thing is wrong with a request, the first check decides. */
  statuses: number[]
}

const json = { 'content-type': 'application/json' }

/** One request for every way in which a call to this operation can be broken and must be refused. */
export function badInputsTo(
  operation: Operation,
  document: Document,
  values: Values,
  seed: number,
): BadInput[] {
  const sample = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.sample(arbitrary, { seed, numRuns: 1 })[0]
  const filled = (place: Parameter['in']) =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, schema }) => [name, sample(values.fitting(schema, fullNameOf(operation.path, name)))]),
    )
  const url = urlOf(operation.path, filled('path'), filled('query'))
  const body = operation.body && sample(values.fitting(operation.body.schema))
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const whole = { url, headers: payload === undefined ? {} : json, payload }
  // Where the sender signs the bytes, the signature is looked at before anything else, and these have none.
  const isSigned = operation.parameters.some(({ in: place, required }) => place === 'header' && required)
  return [
    ...badBodies(operation, document, body, isSigned ? 401 : 400).map((bad) => ({ ...whole, ...bad })),
    ...operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap((parameter) => badQueries(parameter, url).map((bad) => ({ ...whole, ...bad }))),
    ...badPaths(operation, url).map((bad) => ({ ...whole, ...bad })),
  ]
}

type Breakage = Pick<BadInput, 'name' | 'statuses'> & Partial<BadInput>

function badBodies(operation: Operation, document: Document, body: unknown, status: number): Breakage[] {
  if (!operation.body) return []
  const { required, schema } = operation.body
  const deep = `${'{"a":'.repeat(MAX_JSON_DEPTH + 1)}1${'}'.repeat(MAX_JSON_DEPTH + 1)}`
  const refused: [string, string | Buffer][] = [
    ['malformed JSON', '{"a":'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a list for an object', '[]'],
    ['a text for an object', '"x"'],
    ['a NUL character', '{"a":"\\u0000"}'],
    ['a NUL character in a name', '{"\\u0000":1}'],
    ['half a surrogate pair', '{"a":["\\ud800"]}'],
    ['deep nesting', deep],
    ...wronglyTyped(schema, document, body),
  ]
  return [
    ...refused.map(([name, payload]) => ({ name, payload, statuses: [status] })),
    ...(required ? [{ name: 'no body', payload: undefined, headers: {}, statuses: [status] }] : []),
    { name: 'a huge body', payload: `{"a":"${'x'.repeat(MAX_BODY_BYTES)}"}`, statuses: [413] },
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x'].map(
      (type) => ({ name: `the type ${type}`, headers: { 'content-type': type }, statuses: [415] }),
    ),
    { name: 'a compressed body', headers: { ...json, 'content-encoding': 'gzip' }, statuses: [415] },
  ]
}

/** The body with one field after the other replaced by a value of a type that it cannot have. */
function wronglyTyped(schema: JsonSchema, { resolve }: Document, body: unknown): [string, string][] {
  if (typeof body !== 'object' || body === null) return []
  const forms = [schema, ...(resolve(schema).anyOf ?? [])].map(resolve)
  return Object.keys(body).flatMap((name): [string, string][] => {
    const types = forms.flatMap(({ properties }) => {
      const property = properties?.[name]
      return property ? typesOf(resolve(property), resolve) : []
    })
    if (types.length === 0 || types.includes('any')) return []
    const wrong = types.includes('object') ? 'x' : { not: 'this' }
    return [[`a wrong type of ${name}`, JSON.stringify({ ...body, [name]: wrong })]]
  })
}

function typesOf(schema: JsonSchema, resolve: Document['resolve']): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((option) => typesOf(resolve(option), resolve))
  if (schema.enum) return schema.enum.map((value) => typeof value)
  return [schema.type ?? 'any'].flat()
}

function badQueries({ name, schema }: Parameter, url: string): Breakage[] {
  const withQuery = (query: string) => {
    const [path = '', rest = ''] = url.split('?')
    const others = rest.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`))
    return `${path}?${[...others, query].join('&')}`
  }
  const wrong = ['integer', 'number', 'boolean'].includes(String(schema.type)) || schema.enum
  return [
    { name: `${name} twice`, url: withQuery(`${name}=1&${name}=1`), statuses: [400] },
    { name: `a NUL character in ${name}`, url: withQuery(`${name}=a%00b`), statuses: [400] },
    ...(wrong ? [{ name: `a wrong ${name}`, url: withQuery(`${name}=wrong`), statuses: [400] }] : []),
    ...(name === 'cursor'
      ? ['x', 'e30', `${'A'.repeat(60)}.${'B'.repeat(43)}`, '%F0%9F%99%82'].map((cursor) => ({
          name: `the cursor ${cursor}`,
          url: withQuery(`cursor=${cursor}`),
          statuses: [400],
        }))
      : []),
  ]
}

function badPaths({ path, parameters }: Operation, url: string): Breakage[] {
  if (!parameters.some((parameter) => parameter.in === 'path')) return []
  const [, search] = url.split('?')
  const broken = (text: string) => path.replaceAll(/\{\w+\}/g, text) + (search ? `?${search}` : '')
  return [
    { name: 'a NUL character in the path', url: broken('a%00b'), statuses: [400] },
    { name: 'bytes that are not UTF-8 in the path', url: broken('%ED%A0%80'), statuses: [400] },
    { name: 'an endless path', url: broken('x'.repeat(600)), statuses: [400, 404] },
  ]
}
