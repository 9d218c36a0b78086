import { isDeepStrictEqual } from 'node:util'
import {
  defaultInputSchema,
  defaultOutputSchema,
  type Issue,
  invalidField,
  invalidInput,
  type NewServiceExample,
} from '@agent-marketplace/contract'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { issuesAgainst } from '../../platform/json-schema/check-value.ts'
import { compileSchema } from '../../platform/json-schema/compile-schema.ts'

const StoredSchema = Type.Record(Type.String(), Type.Unknown())

/** What a service promises beyond its price. A missing field means what it meant before such fields existed. */
const ServiceTerms = Type.Object({
  description: Type.Optional(Type.String()),
  included: Type.Optional(Type.Array(Type.String())),
  inputSchema: Type.Optional(StoredSchema),
  outputSchema: Type.Optional(StoredSchema),
  examples: Type.Optional(
    Type.Array(
      Type.Object({
        title: Type.Optional(Type.String()),
        input: Type.Record(Type.String(), Type.Unknown()),
        output: Type.Unknown(),
      }),
    ),
  ),
})
export type ServiceTerms = Static<typeof ServiceTerms>

const validator = Compile(Type.Record(Type.String(), ServiceTerms))

/** The terms of a row by service id, checked: the column holds JSON. */
export function storedTerms(terms: unknown): Record<string, ServiceTerms> {
  if (validator.Check(terms)) return terms
  throw new TypeError('The stored terms of an agent’s services do not fit their shape')
}

interface GivenTerms {
  description?: string
  included?: string[]
  inputSchema?: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  examples?: NewServiceExample[]
}

/** What a seller says about a service, where the schemas can be checked and the samples fit them. */
export function readTerms(given: GivenTerms, path: string): ServiceTerms {
  const { inputSchema, outputSchema, examples = [] } = given
  if (inputSchema && inputSchema.type !== 'object')
    throw invalidField(`${path}/inputSchema/type`, 'must be "object"')
  const input = compileSchema(inputSchema ?? defaultInputSchema, `${path}/inputSchema`)
  const output = compileSchema(outputSchema ?? defaultOutputSchema, `${path}/outputSchema`)
  const issues: Issue[] = examples.flatMap((example, index) => [
    ...issuesAgainst(input, example.input, `${path}/examples/${index}/input`),
    ...issuesAgainst(output, example.output, `${path}/examples/${index}/output`),
  ])
  if (issues.length > 0) throw invalidInput(issues)
  const description = given.description?.trim()
  const included = (given.included ?? []).map((line) => line.trim())
  return {
    ...(description && { description }),
    ...(included.length > 0 && { included }),
    // A default that was read and is sent back stays a default.
    ...(inputSchema && !isDeepStrictEqual(inputSchema, defaultInputSchema) && { inputSchema }),
    ...(outputSchema && !isDeepStrictEqual(outputSchema, defaultOutputSchema) && { outputSchema }),
    ...(examples.length > 0 && { examples }),
  }
}
