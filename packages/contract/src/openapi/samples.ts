/** Code for one call, made from what the call needs and nothing else. It imports nothing, so that the page can make it too. */

export const sampleLanguages = ['curl', 'sdk', 'fetch', 'python'] as const
export type SampleLanguage = (typeof sampleLanguages)[number]

/** What the code of each is written in, as fences of Markdown name it. */
export const sampleSyntax: Record<SampleLanguage, string> = {
  curl: 'sh',
  sdk: 'ts',
  fetch: 'ts',
  python: 'py',
}

export interface SampleCall {
  /** Its name in the contract and in the SDK. */
  id: string
  method: string
  origin: string
  /** With `{name}` for its parameters. */
  path: string
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  /** What is sent as JSON; a text is sent as the bytes of a file. */
  body?: unknown
  /** Whether an API key has to come along. */
  needsKey: boolean
  /** Whether the response is JSON; what is not is printed as it comes. */
  isJson: boolean
}

/** The address of the call, with its parameters filled in. */
export function urlOf({ origin, path, params, query }: Omit<SampleCall, 'id'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in params ? encodeURIComponent(params[name] ?? '') : whole,
  )
  const search = new URLSearchParams(query).toString()
  return `${origin}${filled}${search && `?${search}`}`
}

export const writeSample = (language: SampleLanguage, call: SampleCall): string =>
  `${writers[language](call)}\n`

const writers: Record<SampleLanguage, (call: SampleCall) => string> = {
  curl: writeCurl,
  sdk: writeSdk,
  fetch: writeFetch,
  python: writePython,
}

const KEY = 'MARKETPLACE_KEY'
const contentTypeOf = (body: unknown): string =>
  typeof body === 'string' ? 'application/octet-stream' : 'application/json'
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function writeCurl(call: SampleCall): string {
  const { method, body, needsKey } = call
  const isUsual = method === (body === undefined ? 'GET' : 'POST')
  const parts = [
    `curl -sS --fail-with-body ${isUsual ? '' : `-X ${method} `}${quoteForShell(urlOf(call))}`,
    ...(needsKey ? [`-H "authorization: Bearer $${KEY}"`] : []),
    ...(body === undefined
      ? []
      : [`-H 'content-type: ${contentTypeOf(body)}'`, `--data-binary ${quoteForShell(textOf(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

function writeSdk({ id, origin, params, query, body, needsKey, isJson }: SampleCall): string {
  const request = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  }
  const given = Object.keys(request).length === 0 ? '' : `, ${literal(request, javaScript)}`
  const key = needsKey ? `, apiKey: process.env.${KEY}` : ''
  return `import { createMarketplaceClient } from '@agent-marketplace/sdk'

const marketplace = createMarketplaceClient({ baseUrl: '${origin}'${key} })
const response = await marketplace.call('${id}'${given})
console.log(${isJson ? 'response' : 'await response.text()'})`
}

function writeFetch(call: SampleCall): string {
  const { method, body, needsKey, isJson } = call
  const headers = [
    ...(needsKey ? [`    authorization: \`Bearer \${process.env.${KEY}}\`,`] : []),
    ...(body === undefined ? [] : [`    'content-type': '${contentTypeOf(body)}',`]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined ? [] : [`  body: ${fetchBody(body)},`]),
  ]
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
  return `const response = await fetch('${urlOf(call)}'${given})
if (!response.ok) throw new Error(await response.text())
console.log(await response.${isJson ? 'json' : 'text'}())`
}

const fetchBody = (body: unknown): string =>
  typeof body === 'string'
    ? JSON.stringify(body)
    : `JSON.stringify(${literal(body, javaScript).replaceAll('\n', '\n  ')})`

function writePython(call: SampleCall): string {
  const { method, body, needsKey, isJson } = call
  const imports = [
    ...(isJson || isObject(body) ? ['json'] : []),
    ...(needsKey ? ['os'] : []),
    'urllib.request',
  ]
  const headers = [
    ...(needsKey ? [`        "authorization": f"Bearer {os.environ['${KEY}']}",`] : []),
    ...(body === undefined ? [] : [`        "content-type": "${contentTypeOf(body)}",`]),
  ]
  const data =
    typeof body === 'string'
      ? `${JSON.stringify(body)}.encode()`
      : `json.dumps(${literal(body, python).replaceAll('\n', '\n    ')}).encode()`
  const options = [
    `    ${JSON.stringify(urlOf(call))},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === undefined ? [] : [`    data=${data},`]),
  ]
  return `import ${imports.join(', ')}

request = urllib.request.Request(
${options.join('\n')}
)
with urllib.request.urlopen(request) as response:
    print(${isJson ? 'json.load(response)' : 'response.read().decode()'})`
}

interface Dialect {
  indent: string
  nameOf: (name: string) => string
  yes: string
  no: string
  nothing: string
}

const javaScript: Dialect = {
  indent: '  ',
  nameOf: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
  yes: 'true',
  no: 'false',
  nothing: 'null',
}
const python: Dialect = {
  indent: '    ',
  nameOf: (name) => JSON.stringify(name),
  yes: 'True',
  no: 'False',
  nothing: 'None',
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value as the language writes it. */
function literal(value: unknown, dialect: Dialect): string {
  if (value === null || value === undefined) return dialect.nothing
  if (typeof value === 'boolean') return value ? dialect.yes : dialect.no
  if (!isObject(value)) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Array.isArray(value)
    ? value.map((part) => literal(part, dialect))
    : Object.entries(value).map(([name, part]) => `${dialect.nameOf(name)}: ${literal(part, dialect)}`)
  if (parts.length === 0) return `${open}${close}`
  const short = parts.join(', ')
  if (short.length <= 60 && !short.includes('\n')) return Array.isArray(value) ? `[${short}]` : `{ ${short} }`
  const lines = parts.map((part) => `${dialect.indent}${part.replaceAll('\n', `\n${dialect.indent}`)},`)
  return `${open}\n${lines.join('\n')}\n${close}`
}
