import { type Endpoint, exampleOf, MAX_BODY_BYTES, MAX_JSON_DEPTH } from '@agent-marketplace/contract'
import type { TSchema } from 'typebox'

export interface HostileRequest {
  name: string
  url: string
  headers: Record<string, string>
  payload?: string | undefined
}

/** What the generator reads of a schema. */
interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  maxItems?: number
}

const ROOM = MAX_BODY_BYTES - 2_000
/** Node refuses request heads above 16 KiB. */
const HEAD_ROOM = 14_000

const list = (item: string, room = ROOM) =>
  `[${Array(Math.floor(room / (item.length + 1)))
    .fill(item)
    .join()}]`
const filled = (start: string, filling: string, end = '') =>
  JSON.stringify(start + filling.repeat(Math.floor(ROOM / 2 / filling.length)) + end)
const keys = (count: number, value: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${value(index)}`).join()}}`
const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

/** Values that fill a body, each of them dear to some way of checking. They are JSON, for a body is text. */
const lists: Record<string, string> = {
  'the same number again and again': list('1'),
  'different numbers': `[${Array.from({ length: 16_000 }, (_, index) => index).join()}]`,
  'the same text again and again': list('"job.funded"'),
  'empty objects': list('{}'),
  nulls: list('null'),
}
const objects: Record<string, string> = {
  'many keys': keys(8_000, String),
  'many keys with objects': keys(6_000, () => '{}'),
}
const texts: Record<string, string> = {
  'a long text': filled('', 'a'),
  'a long blank text': filled('', ' ', 'x'),
  'long hex': filled('0x', 'aF', '!'),
  'a long web address': filled('https://', 'a.', ' '),
  'a long content address': filled('ipfs://', 'b/', '\n'),
  'a long date': filled('2026-11-15T09:30:00.', '0', 'Z'),
  'surrogate pairs': filled('', '\u{1F642}'),
}
const nestings: Record<string, string> = {
  'lists as deep as allowed': list(nested('[', ']', MAX_JSON_DEPTH - 3)),
  'objects as deep as allowed': list(nested('{"a":', '}', MAX_JSON_DEPTH - 3)),
  'endless nesting': nested('[', ']', 45_000),
  'one long key': `{${filled('k', 'x')}:1}`,
}
const everyHostileValue = { ...lists, ...objects, ...texts, ...nestings }

/** What is dear at a place of this type. Checking a value of another type than the declared ends at its type. */
function hostileTo({ type, maxItems, ...schema }: Schema): Record<string, string> {
  const types = [type ?? []].flat()
  if (types.includes('string')) return { ...texts, 'the same number': list('1') }
  if (types.includes('array'))
    return { ...lists, [`${maxItems} long items`]: longItems({ maxItems, ...schema }) }
  if (types.includes('object')) return { ...objects, ...nestings }
  return { 'the same number': list('1'), 'many keys': keys(8_000, String) }
}

/** Requests as large as the service takes them, made from what the endpoint declares, each with something dear in one place. */
export function hostileRequestsTo(endpoint: Endpoint): HostileRequest[] {
  const url = endpoint.path.replaceAll(/\{(\w+)\}/g, (_match, name) =>
    encodeURIComponent(String(exampleOf(endpoint.params?.properties[name]))),
  )
  return [...hostileBodies(endpoint, url), ...hostileQueries(endpoint, url), ...hostilePaths(endpoint)]
}

function hostileBodies({ body, rawBody, id }: Endpoint, url: string): HostileRequest[] {
  const headers = { 'content-type': 'application/json' }
  const asRequest = ([name, payload]: [string, string]) => ({ name: `${id}: ${name}`, url, headers, payload })
  if (rawBody) return Object.entries(everyHostileValue).map(asRequest)
  if (!body) return []
  const forms = body.kind === 'one' ? [body.schema] : [body.a, body.b]
  return forms.flatMap((form) => hostileJson(form)).map(asRequest)
}

/** The whole body, and then each part of it, replaced by everything hostile. */
function hostileJson(form: TSchema): [string, string][] {
  const whole = exampleOf(form)
  const MARK = '"__hostile__"'
  return placesIn(form as Schema, []).flatMap(({ path, schema }) => {
    const around = JSON.stringify(replaceAt(whole, path, '__hostile__'))
    const hostile = path.length === 0 ? everyHostileValue : hostileTo(schema)
    return Object.entries(hostile).map(([what, value]): [string, string] => [
      `${what} at /${path.join('/')}`,
      around.replace(MARK, () => value),
    ])
  })
}

function longItems({ maxItems = 1, items }: Schema): string {
  const [name] = Object.keys(items?.properties ?? {})
  const text = 'x'.repeat(Math.floor(ROOM / maxItems) - 20)
  const item = JSON.stringify(name ? { [name]: text } : text)
  return `[${Array(maxItems).fill(item).join()}]`
}

type Path = (string | number)[]

function placesIn(schema: Schema, path: Path): { path: Path; schema: Schema }[] {
  const parts: [string | number, Schema][] = Object.entries(schema.properties ?? {})
  if (schema.items) parts.push([0, schema.items])
  const inner = parts.flatMap(([name, part]) => placesIn(part, [...path, name]))
  const options = (schema.anyOf ?? []).flatMap((option) => placesIn(option, path).slice(1))
  return [{ path, schema }, ...inner, ...options]
}

function replaceAt(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by
  if (typeof step === 'number') return [replaceAt((value as unknown[] | undefined)?.[step], rest, by)]
  const fields = (typeof value === 'object' ? value : {}) as Record<string, unknown>
  return { ...fields, [step]: replaceAt(fields[step], rest, by) }
}

function hostileQueries({ query, id }: Endpoint, url: string): HostileRequest[] {
  const names = [...Object.keys(query?.properties ?? {}), 'unknown']
  const hostile = (name: string) => [
    ['encoded blanks', `${name}=${'%20'.repeat(HEAD_ROOM / 3)}`],
    ['long digits', `${name}=${'9'.repeat(HEAD_ROOM)}`],
    ['the name again and again', `${name}=1&`.repeat(HEAD_ROOM / (name.length + 3))],
    ['broken escapes', `${name}=${'%'.repeat(HEAD_ROOM)}`],
  ]
  return names.flatMap((name) =>
    hostile(name).map(([what, text]) => ({
      name: `${id}: ${what} in ?${name}`,
      url: `${url}?${text}`,
      headers: {},
    })),
  )
}

function hostilePaths({ params, path, id }: Endpoint): HostileRequest[] {
  if (!params) return []
  const texts = {
    digits: '9'.repeat(HEAD_ROOM),
    escapes: '%41'.repeat(HEAD_ROOM / 3),
    dots: '..'.repeat(240),
  }
  return Object.entries(texts).map(([what, text]) => ({
    name: `${id}: ${what} in the path`,
    url: path.replaceAll(/\{\w+\}/g, text),
    headers: {},
  }))
}

const repeated = (text: string) => text.repeat(HEAD_ROOM / text.length)

/** Request headers that this service reads, each as long as Node lets it in. They are read alike for all endpoints. */
export const hostileHeaders: Record<string, string>[] = [
  { accept: repeated('application/vnd.agent-marketplace.v1+json;q=0.1,') },
  { accept: repeated(';q=') },
  { accept: repeated(', ') },
  { accept: `application/json;${repeated(' ')}q` },
  { authorization: `Bearer ${repeated(' ')}x y` },
  { authorization: `Bearer ${repeated('a')}` },
  { cookie: repeated('; ') },
  { cookie: repeated(';token') },
  { cookie: `;${repeated(' ')}token` },
  { cookie: repeated('token=x;') },
  { 'content-type': `application/${repeated('+')}json` },
  { 'content-type': `application/json${repeated(' ')}x` },
  { 'accept-encoding': repeated('gzip;q=0,') },
  { 'if-none-match': repeated('"",') },
  { 'x-forwarded-for': repeated('::1,') },
  { 'x-request-id': repeated('a') },
  { 'idempotency-key': repeated('a') },
  { 'payment-signature': repeated('e30=') },
  { 'last-event-id': repeated('9') },
  { origin: `http://${repeated('a.')}` },
]
