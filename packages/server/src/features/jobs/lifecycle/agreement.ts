import {
  defaultInputSchema,
  defaultOutputSchema,
  invalidField,
  invalidInput,
  type JobInput,
} from '@agent-marketplace/contract'
import { issuesAgainst } from '../../../platform/json-schema/check-value.ts'
import { compileSchema } from '../../../platform/json-schema/compile-schema.ts'

export type JsonObject = Record<string, unknown>

/** The schemas that a service has of its own. */
export interface ServiceSchemas {
  inputSchema?: JsonObject
  outputSchema?: JsonObject
}

/** What both sides agree on when a job is made. A later change of the service changes nothing about it. */
export interface Agreement {
  input: JsonObject | null
  /** The schema that `input` was checked against. */
  inputSchema: JsonObject | null
  outputSchema: JsonObject | null
}

export const noAgreement: Agreement = { input: null, inputSchema: null, outputSchema: null }

/** Null where nothing is agreed on but words: as jobs were before services had schemas. */
export function agreementOf(
  { serviceId, input }: { serviceId: string | undefined; input: JobInput | undefined },
  schemas: ServiceSchemas | null,
): Agreement | null {
  if (input !== undefined && serviceId === undefined)
    throw invalidField('/input', 'is for one of the agent’s services: name it by serviceId')
  const { inputSchema, outputSchema = null } = schemas ?? {}
  if (input === undefined) {
    if (inputSchema)
      throw invalidField('/input', 'is required: the service says in its inputSchema what it needs')
    return outputSchema && { ...noAgreement, outputSchema }
  }
  const schema = inputSchema ?? defaultInputSchema
  const issues = issuesAgainst(compileSchema(schema, '/inputSchema'), input, '/input')
  if (issues.length > 0) throw invalidInput(issues)
  return { input, inputSchema: schema, outputSchema }
}

export interface DeliveryBody {
  content?: string | undefined
  deliveryCid?: string | undefined
  output?: unknown
  files?: string[] | undefined
  note?: string | undefined
}

export function checkDeliveryBody({ content, deliveryCid, output, files = [] }: DeliveryBody): void {
  const given = [content, deliveryCid, output].filter((part) => part !== undefined)
  if (files.length > 0 && deliveryCid !== undefined)
    throw invalidField('deliveryCid', 'does not go with files')
  if (given.length === 1 || (given.length === 0 && files.length > 0)) return
  if (given.length === 0) throw invalidField('content', 'is needed, or output, deliveryCid or files')
  throw invalidField(
    'content',
    output === undefined ? 'does not go with deliveryCid' : 'and deliveryCid do not go with output',
  )
}

/** Rejects a delivery that is not what the service promised, with the fields that are wrong. */
export function checkOutput({ content, output }: DeliveryBody, schema: JsonObject | undefined): void {
  const isText = output === undefined && content !== undefined
  if (!schema && output === undefined) return
  if (schema && output === undefined && !(isText && takesText(schema)))
    throw invalidField('/output', 'is required: the service promises a result by its outputSchema')
  const path = isText ? '/content' : '/output'
  const compiled = compileSchema(schema ?? defaultOutputSchema, '/outputSchema')
  const issues = issuesAgainst(compiled, isText ? content : output, path)
  if (issues.length > 0) throw invalidInput(issues)
}

/** Whether content, which is text, can be what the schema asks for. */
const takesText = ({ type }: JsonObject): boolean => [type].flat().includes('string')
