type Schema = Record<string, unknown>

/**
 * The schema as the serialiser gets it: `X or null` is a nullable X, and further patterns of a text are left out. It would
 * distinguish the branches of a union by validating each value, with code that takes tens of milliseconds to make for the
 * first response.
 */
export const serialisedSchema = (schema: Schema): Schema => rewritten(schema) as Schema

function rewritten(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewritten)
  if (typeof part !== 'object' || part === null) return part
  const { anyOf, allOf, ...rest } = part as Schema
  const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, rewritten(value)]))
  if (isList(allOf) && !allOf.every(isPattern)) own.allOf = allOf.map(rewritten)
  if (!isList(anyOf)) return own
  const [only, ...others] = anyOf.filter(({ type }) => type !== 'null')
  if (others.length > 0 || only === undefined) return { ...own, anyOf: anyOf.map(rewritten) }
  return { ...(rewritten(only) as Schema), ...own, nullable: true }
}

const isList = (branches: unknown): branches is Schema[] => Array.isArray(branches)

const isPattern = (schema: Schema): boolean => Object.keys(schema).join() === 'pattern'
