import pg from 'pg'

/**
 * How to reach a database: a URL, or the parts of one. `options` are settings of the sessions, as `-c name=value`; `stream`
 * makes the sockets.
 */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'options' | 'stream'
>

/**
 * A server that is gone without a word is noticed after about fifteen seconds. Without the delay the system asks after two
 * hours.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const

const { builtins } = pg.types
const arrayOids = { int8: 1016, numeric: 1231 } as const

/** int8 and numeric become bigint: a fraction throws, so cast averages to float8 where one is meant. Dates without time stay text. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, BigInt],
  [arrayOids.int8, parseBigintArray],
  [arrayOids.numeric, parseBigintArray],
  [builtins.DATE, (text) => text],
])

/** Type parsers of one connection; nothing global is changed, other users of pg in the process keep theirs. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format),
}

/** Elements of these arrays are digits or NULL and never quoted. */
function parseBigintArray(text: string): (bigint | null)[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((element) => (element === 'NULL' ? null : BigInt(element)))
}
