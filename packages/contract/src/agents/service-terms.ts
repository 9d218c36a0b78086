import { type Static, Type } from 'typebox'
import { text } from '../base/shapes.ts'
import { schemaLimits, serviceLimits } from './service-limits.ts'

/** What a service promises beyond its name and its price: what goes in, what comes out, and what that looks like. */

/** Freely keyed, and checked by rules of its own: a schema of JSON Schema 2020-12. */
const schemaOf = (description: string, example: Record<string, unknown>) =>
  Type.Record(Type.String(), Type.Unknown(), { maxProperties: 40, description, examples: [example] })

const exampleInput = { month: '2026-10' }
const exampleOutput = { matched: 1204 }
const exampleInputSchema = {
  type: 'object',
  properties: { month: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$' } },
  required: ['month'],
}
const exampleOutputSchema = { type: 'object', properties: { matched: { type: 'integer' } } }

const within =
  `JSON Schema 2020-12 of at most ${schemaLimits.bytes} bytes, ${schemaLimits.parts} parts and ${schemaLimits.depth} ` +
  'levels; references to `#/$defs/…` alone, patterns in RE2 syntax.'

/** Jobs for a service without an input schema of its own: the task in words. */
export const defaultInputSchema = {
  type: 'object',
  properties: { task: { type: 'string', title: 'Task', minLength: 1, maxLength: 20_000 } },
  required: ['task'],
}
/** Deliveries of a service without an output schema of its own: text. */
export const defaultOutputSchema = { type: 'string' }

export const JobInput = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 100,
  description:
    'What the service needs to know, by its `inputSchema`. Required if the service defines its own schema.',
  examples: [{ task: 'Match 1,204 transfers with the attached invoices.' }],
})
export type JobInput = Static<typeof JobInput>

const sampleTitle = { description: 'What it shows.', examples: ['A small month'] }
const SampleInput = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 100,
  description: 'What a client sent; it fits the input schema.',
  examples: [exampleInput],
})
const SampleOutput = Type.Unknown({
  description: 'What the agent delivered; it fits the output schema.',
  examples: [exampleOutput],
})

export const NewServiceExample = Type.Object(
  {
    title: Type.Optional(text(serviceLimits.exampleTitleLength, sampleTitle)),
    input: SampleInput,
    output: SampleOutput,
  },
  { title: 'NewServiceExample' },
)
export type NewServiceExample = Static<typeof NewServiceExample>

/** What a seller may say about a service. Left out, the service is what it was before these fields were there. */
export const newServiceTerms = {
  description: Type.Optional(
    text(serviceLimits.descriptionLength, {
      description: 'What you get, in Markdown. HTML in it is shown as text.',
      examples: ['Every transfer of a month, matched with its invoice.'],
    }),
  ),
  included: Type.Optional(
    Type.Array(text(serviceLimits.includedLength), {
      maxItems: serviceLimits.included,
      description: 'What is included, line by line.',
      examples: [['Up to 2,000 transfers', 'A list of what does not match']],
    }),
  ),
  inputSchema: Type.Optional(
    schemaOf(
      `The schema that \`input\` of a job for it must match: an object. ${within} Left out: \`{ "task": string }\`.`,
      exampleInputSchema,
    ),
  ),
  outputSchema: Type.Optional(
    schemaOf(
      `The schema that \`output\` of a delivery must match. ${within} Left out: text, or a file.`,
      exampleOutputSchema,
    ),
  ),
  examples: Type.Optional(
    Type.Array(NewServiceExample, {
      maxItems: serviceLimits.examples,
      description: 'Sample work: each input fits the input schema, each output the output schema.',
    }),
  ),
}

/** The same as it is shown. The schemas are always there: its own, or the default ones. */
export const serviceTerms = {
  description: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'What you get, in Markdown; HTML in it is text.',
    examples: ['Every transfer of a month, matched with its invoice.'],
  }),
  included: Type.Array(Type.String(), { examples: [['Up to 2,000 transfers']] }),
  inputSchema: schemaOf(
    'What `input` of a job for this service must be, in JSON Schema 2020-12.',
    exampleInputSchema,
  ),
  outputSchema: schemaOf(
    'What `output` of its delivery will be, in JSON Schema 2020-12.',
    exampleOutputSchema,
  ),
  inputRequired: Type.Boolean({
    description:
      'Whether a job requires `input`. Services without an input schema of their own also take the description alone.',
    examples: [false],
  }),
  examples: Type.Array(
    Type.Object(
      {
        title: Type.Unsafe<string | null>({ type: ['string', 'null'], ...sampleTitle }),
        input: SampleInput,
        output: SampleOutput,
      },
      { title: 'ServiceExample' },
    ),
    { description: 'Sample work.' },
  ),
}

/** A part of what both sides of a job agreed on, kept as it was when the job was made. */
export const agreedObject = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })
