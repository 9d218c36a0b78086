import { hash } from 'node:crypto'

/** A value that travels as a parameter, never as text of the statement. */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null | readonly SqlValue[]

/** A statement, or a fragment of one: both are the same thing, so any statement composes into another. */
export interface Sql {
  readonly text: string
  readonly values: SqlValue[]
  /** Short hash of the text: pg prepares a named statement once per connection. */
  readonly name: string
  /** The text around the values; one more piece than there are values. */
  readonly pieces: readonly string[]
}

interface Statement {
  readonly text: string
  readonly name: string
}

const statements = new WeakMap<TemplateStringsArray, Statement>()

/**
 * Builds a statement from a template. Lists belong into one array parameter (`= any(${ids})`) rather than into
 * joined values: every distinct text is one more prepared statement on every connection.
 */
export function sql(template: TemplateStringsArray, ...inputs: readonly (SqlValue | Sql)[]): Sql {
  if (inputs.some(isSql)) return compose(template, inputs)
  const values = inputs.map(checkedValue)
  let statement = statements.get(template)
  if (statement === undefined) {
    const text = textOf(template)
    statement = { text, name: nameOf(text) }
    statements.set(template, statement)
  }
  return { text: statement.text, name: statement.name, values, pieces: template }
}

sql.join = (fragments: readonly Sql[], separator: Sql): Sql => {
  const [first, ...rest] = fragments
  if (first === undefined) return sql``
  const pieces = ['', ...rest.map(() => separator.text), '']
  if (separator.values.length > 0) throw new TypeError('The separator of sql.join holds no values')
  return compose(pieces, fragments)
}

/** A table, column or channel name chosen by the program. Names that would need quoting are refused, so no input can hide in one. */
sql.ident = (name: string): Sql => {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name))
    throw new TypeError(`Not a plain SQL identifier: ${JSON.stringify(name)}`)
  return compose([`"${name}"`], [])
}

/** A moment as text, for commands that take no values, such as those about partitions. */
sql.moment = (time: Date): Sql => compose([`'${time.toISOString()}'`], [])

/** JSON is explicit, because an object that slips in as a value is nearly always a mistake. */
sql.json = (value: unknown): string => {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('sql.json needs a JSON value')
  return text
}

function compose(template: readonly string[], inputs: readonly (SqlValue | Sql)[]): Sql {
  const pieces: string[] = []
  const values: SqlValue[] = []
  let open = template[0] ?? ''
  for (const [index, input] of inputs.entries()) {
    if (isSql(input)) {
      for (const [position, value] of input.values.entries()) {
        pieces.push(open + (input.pieces[position] ?? ''))
        values.push(value)
        open = ''
      }
      open += input.pieces[input.values.length] ?? ''
    } else {
      pieces.push(open)
      values.push(checkedValue(input))
      open = ''
    }
    open += template[index + 1] ?? ''
  }
  pieces.push(open)
  let text: string | undefined
  return {
    values,
    pieces,
    // Worked out when asked for: most of what is composed becomes a part of something larger and never runs by itself.
    get text() {
      text ??= textOf(pieces)
      return text
    },
    get name() {
      return nameOf(this.text)
    },
  }
}

const textOf = (pieces: readonly string[]): string =>
  pieces.reduce((before, piece, index) => `${before}$${index}${piece}`)

/** By text. The program has only so many. */
const names = new Map<string, string>()
const MAX_NAMES = 2_000

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    if (names.size === MAX_NAMES) names.clear()
    name = hash('sha256', text, 'base64url').slice(0, 20)
    names.set(text, name)
  }
  return name
}

function isSql(input: unknown): input is Sql {
  return typeof input === 'object' && input !== null && 'pieces' in input
}

function checkedValue(value: unknown): SqlValue {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return value
    case 'number':
      if (Number.isFinite(value)) return value
      break
    case 'object':
      if (value === null || value instanceof Uint8Array) return value
      if (Array.isArray(value)) return value.map(checkedValue)
      if (value instanceof Date && !Number.isNaN(value.getTime())) return value
  }
  throw new TypeError(`Not an SQL value: ${typeof value === 'object' ? 'object' : String(value)}`)
}
