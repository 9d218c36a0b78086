/** What there is to be named: everything that a page shows as code and a reader would type or call. */
export interface Nameable {
  calls: readonly { id: string; method: string; path: string }[]
  /** Served, and not in the contract. */
  otherPaths: readonly string[]
  /** Of scripts in the repository. */
  otherOptions: readonly string[]
  guides: readonly string[]
  commands: readonly { name: string; options: readonly string[] }[]
  tools: readonly string[]
  /** Settings, error codes, states. */
  constants: ReadonlySet<string>
}

const codeBlock = /^```.*?^```$/gms
const codeSpan = /`([^`\n]+)`/g
const callback = '/api/jobs/{id}/callback'
/** Other paths in prose are pages, or places in a JSON document. */
const ofService = /^(?:<callback\.url>|\/(?:api|docs|health|\.well-known)\b)/
const otherPrograms = /^(?:node|npm|npx|sh|curl|python3|git|docker|source) /

/** Names in running text of things that do not exist. Blocks of code are run, which shows more than this could. */
export function findUnknownNames(markdown: string, there: Nameable): string[] {
  const prose = markdown.replace(codeBlock, '')
  const ofPage = { ...there, constants: new Set([...there.constants, ...variablesIn(markdown)]) }
  const spans = [...prose.matchAll(codeSpan)].map(([, code = '']) => code)
  const inTables = tablesOf(prose)
  return [
    ...spans.filter((span) => !isKnownPath(span, ofPage)),
    ...spans.filter((span) => !isKnownCommand(span, ofPage)),
    ...spans.filter((span) => !isKnownWord(span, ofPage)),
    ...inTables('Command').filter((span) => !ofPage.commands.some(({ name }) => name === firstWord(span))),
    ...inTables('Tools').filter((span) => !ofPage.tools.includes(span)),
    ...linksIn(prose).filter((path) => !isKnownPage(path, ofPage)),
  ]
}

/** What the blocks of the page itself set or expect. */
const variablesIn = (markdown: string): string[] =>
  (markdown.match(codeBlock) ?? []).flatMap(
    (block) => block.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [],
  )

function isKnownPath(span: string, { calls, otherPaths }: Nameable): boolean {
  const [, method, written] = /^(?:(GET|POST|PUT|PATCH|DELETE) )?((?:<callback\.url>|\/)\S*)/.exec(span) ?? []
  if (written === undefined || (method === undefined && !ofService.test(written))) return true
  const path = written.replace('<callback.url>', callback).split(/[?#]/)[0] ?? ''
  if (otherPaths.includes(path)) return true
  return calls.some((call) => {
    if (method !== undefined) return call.method === method && isSamePath(path, call.path)
    return isSamePath(path, call.path.split('/').slice(0, path.split('/').length).join('/'))
  })
}

/** Whatever the parameters are called. */
function isSamePath(written: string, path: string): boolean {
  const [here, there] = [written.split('/'), path.split('/')]
  const isSamePart = (part: string, index: number) =>
    part === there[index] || (part.startsWith('{') && there[index]?.startsWith('{'))
  return here.length === there.length && here.every(isSamePart)
}

function isKnownCommand(span: string, { commands, otherOptions }: Nameable): boolean {
  if (otherPrograms.test(span)) return true
  const given = span.match(/(?<=^|\s)--[a-z][a-z-]*/g)?.map((option) => option.slice(2)) ?? []
  const [, called] = /^agent-marketplace ([a-z-]+)/.exec(span) ?? []
  const command = commands.find(({ name }) => name === (called ?? firstWord(span)))
  if (called !== undefined && !called.startsWith('--') && !command) return false
  const options = command?.options ?? [...commands.flatMap((each) => each.options), ...otherOptions]
  return given.every((option) => options.includes(option))
}

function isKnownWord(span: string, { tools, constants }: Nameable): boolean {
  if (/^[a-z]+(?:_[a-z]+)+$/.test(span)) return tools.includes(span)
  const [, constant] = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=\S*)?$/.exec(span) ?? []
  return constant === undefined || constants.has(constant)
}

const firstWord = (span: string): string => span.split(' ')[0] ?? ''

/** The code in a column of a table, by the title of the column. */
function tablesOf(prose: string): (title: string) => string[] {
  const tables = prose.match(/(?:^\|.*\n)+/gm) ?? []
  const cellsOf = (row: string) => row.split('|').slice(1, -1)
  return (title) =>
    tables.flatMap((table) => {
      const [head = '', , ...rows] = table.trimEnd().split('\n')
      const column = cellsOf(head).findIndex((cell) => cell.trim() === title)
      const cells = column < 0 ? [] : rows.map((row) => cellsOf(row)[column] ?? '')
      return cells.flatMap((cell) => [...cell.matchAll(codeSpan)].map(([, code = '']) => code))
    })
}

/** Of links to the documentation of a running service: where they lead. */
const linksIn = (prose: string): string[] =>
  [...prose.matchAll(/\]\(http:\/\/localhost:4000(\/[^)\s#]*)/g)].map(([, path = '']) => path)

function isKnownPage(path: string, { calls, guides }: Nameable): boolean {
  const [, operation] = /^\/docs\/reference\/(\w+)$/.exec(path) ?? []
  if (operation !== undefined) return calls.some(({ id }) => id === operation)
  const [, guide] = /^\/docs\/([\w-]+)$/.exec(path) ?? []
  return guide === undefined || guide === 'errors' || guide === 'reference' || guides.includes(guide)
}
