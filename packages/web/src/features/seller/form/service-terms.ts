import type { AgentServiceDetail, AgentUpdate } from '@agent-marketplace/contract'
import { issuesOf } from '../../../data/connection/field-errors.ts'

/** What a service promises, as the form holds it: lines, and JSON as it was written. */
export interface ServiceTermsValues {
  description: string
  included: string
  inputSchema: string
  outputSchema: string
  examples: string
}

export const noTerms: ServiceTermsValues = {
  description: '',
  included: '',
  inputSchema: '',
  outputSchema: '',
  examples: '',
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

/** The default output schema is text: a service that has it says nothing of its own. */
const isText = (schema: Record<string, unknown>): boolean => JSON.stringify(schema) === '{"type":"string"}'

export function termsValuesOf(service: AgentServiceDetail): ServiceTermsValues {
  const { description, included, inputRequired, inputSchema, outputSchema, examples } = service
  const samples = examples.map(({ title, ...sample }) => (title === null ? sample : { title, ...sample }))
  return {
    description: description ?? '',
    included: included.join('\n'),
    inputSchema: inputRequired ? pretty(inputSchema) : '',
    outputSchema: isText(outputSchema) ? '' : pretty(outputSchema),
    examples: samples.length > 0 ? pretty(samples) : '',
  }
}

/** Undefined for what is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type GivenService = NonNullable<AgentUpdate['services']>[number]
type GivenTerms = Pick<GivenService, 'description' | 'included' | 'inputSchema' | 'outputSchema' | 'examples'>

/** What is written, and nothing for what is empty. The service looks at the JSON itself. */
export function termsOf(values: ServiceTermsValues): GivenTerms {
  const description = values.description.trim()
  const included = values.included
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const json = (['inputSchema', 'outputSchema', 'examples'] as const).flatMap((name) => {
    const value = readJson(values[name])
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...(description === '' ? {} : { description }),
    ...(included.length === 0 ? {} : { included }),
    ...Object.fromEntries(json),
  }
}

/** What the service has against the terms of one service, by the field's name, with the place inside of it. */
export function termRefusals(error: unknown, index: number): Record<string, string> {
  const prefix = `/services/${index}/`
  const refusals = issuesOf(error).flatMap(({ path, message }) => {
    const [name = '', ...place] = path.startsWith(prefix) ? path.slice(prefix.length).split('/') : []
    return name in noTerms ? [[name, place.length > 0 ? `/${place.join('/')}: ${message}` : message]] : []
  })
  return Object.fromEntries(refusals)
}
