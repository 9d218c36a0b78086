import { type Issue, schemaLimits } from '@agent-marketplace/contract'
import Schema from 'typebox/schema'
import { issuesIn } from '../http/forms/issues.ts'
import type { CompiledSchema } from './compile-schema.ts'
import { countMeetings } from './count-meetings.ts'
import { MAX_MATCH_STEPS } from './patterns.ts'

/** What is wrong with a value by a compiled schema, at its fields; nothing where it fits. */
export function issuesAgainst(compiled: CompiledSchema, value: unknown, path: string): Issue[] {
  const { values, copy } = withoutPrototypes(value)
  // The bound is quick and wide: a table of a hundred rows is beyond it, and is counted.
  const { steps } = schemaLimits
  if (stepsFor(compiled, values) > steps && countMeetings(compiled.schema, copy, steps) > steps) {
    return [{ path, message: 'is too large to be checked against its schema' }]
  }
  const schema = compiled.schema as Parameters<typeof Schema.Check>[0]
  compiled.budget.left = MAX_MATCH_STEPS
  if (Schema.Check(schema, copy)) return []
  compiled.budget.left = MAX_MATCH_STEPS
  const [, findings] = Schema.Errors(schema, copy)
  // What is not allowed is reported at the field itself alone, and not of the whole once more.
  const found = findings.filter(({ keyword }) => keyword !== 'additionalProperties')
  const issues = issuesIn(schema as object, found.length > 0 ? found : findings)
  return issues.map((issue) => ({ ...issue, path: `${path}${issue.path}` }))
}

/** How often a subschema meets a value at most. */
export function stepsFor({ cost }: Pick<CompiledSchema, 'cost'>, values: number): number {
  return cost.once + cost.each * values
}

/** A property that a schema asks for is one that was sent, and never one that all objects have. */
function withoutPrototypes(value: unknown): { copy: unknown; values: number } {
  let values = 0
  const copyOf = (part: unknown): unknown => {
    values += 1
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(copyOf)
    const copy: Record<string, unknown> = Object.create(null)
    for (const [key, member] of Object.entries(part)) copy[key] = copyOf(member)
    return copy
  }
  const copy = copyOf(value)
  return { copy, values }
}
