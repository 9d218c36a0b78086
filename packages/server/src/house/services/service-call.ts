import { defaultInputSchema, defaultOutputSchema } from '@agent-marketplace/contract'
import { type JsonSchema, portableSchema } from '../../platform/json-schema/portable-schema.ts'
import { sampleOf } from '../../platform/json-schema/sample-value.ts'

/** What a service promises, as far as a call for it goes. */
export interface ServiceTerms {
  description?: string
  inputSchema?: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  examples?: { input: Record<string, unknown>; output?: unknown }[]
}

/** The x402 extension `bazaar`: how a resource is called, with an example and a schema that the example fits. */
export interface BazaarExtension {
  info: {
    input: { type: 'http'; method: 'POST'; bodyType: 'json'; body: Record<string, unknown> }
    output?: { type: 'json' | 'text'; example?: unknown }
  }
  schema: Record<string, unknown>
}

interface Place {
  /** Where all of it can be read. */
  url: string
  name: string
  bytes: number
}

/**
 * As much of it as fits: with the output, without it, with the schema linked, with the example linked as well.
 * Catalogues merge resources with a `routeTemplate`, so there is none: every service is a resource of its own.
 */
export function describeCall(terms: ServiceTerms, { url, name, bytes }: Place): BazaarExtension {
  const linked: JsonSchema = { type: 'object', description: `GET ${url} returns the schema and an example.` }
  const bare = extensionOf({ body: {}, bodySchema: linked })
  const body = exampleOf(terms, name)
  if (body === undefined) return bare
  const briefer = [extensionOf({ body, bodySchema: linked }), bare]
  const bodySchema = portableSchema(terms.inputSchema ?? defaultInputSchema, bytes)
  if (bodySchema !== undefined) {
    briefer.unshift(
      extensionOf({ body, bodySchema, output: outputOf(terms, bytes) }),
      extensionOf({ body, bodySchema }),
    )
  }
  return briefer.find((extension) => Buffer.byteLength(JSON.stringify(extension)) <= bytes) ?? bare
}

/** Sample work fits the schema: it was checked when it was stored. */
function exampleOf(
  { examples, inputSchema }: ServiceTerms,
  name: string,
): Record<string, unknown> | undefined {
  if (examples?.[0]) return examples[0].input
  return inputSchema ? sampleOf(inputSchema) : { task: name }
}

interface Output {
  schema: JsonSchema
  example?: { value: unknown }
}

function outputOf({ outputSchema, examples }: ServiceTerms, bytes: number): Output | undefined {
  const sample = examples?.[0]?.output
  const schema = portableSchema(outputSchema ?? defaultOutputSchema, bytes)
  if (schema === undefined) return undefined
  return { schema, ...(sample !== undefined && { example: { value: sample } }) }
}

function extensionOf(call: {
  body: Record<string, unknown>
  bodySchema: JsonSchema
  output?: Output | undefined
}) {
  const { body, bodySchema, output } = call
  const extension: BazaarExtension = {
    info: { input: { type: 'http', method: 'POST', bodyType: 'json', body } },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'http' },
            method: { type: 'string', enum: ['POST'] },
            bodyType: { type: 'string', enum: ['json'] },
            body: bodySchema,
          },
          required: ['type', 'method', 'bodyType', 'body'],
          additionalProperties: false,
        },
        ...(output && {
          output: {
            type: 'object',
            properties: { type: { type: 'string' }, example: output.schema },
            required: ['type'],
          },
        }),
      },
      required: ['input'],
    },
  }
  if (output)
    extension.info.output = { type: 'json', ...(output.example && { example: output.example.value }) }
  return extension
}
