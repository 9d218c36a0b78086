import type { OpenApiDocument, OpenApiOperation, OpenApiResponse } from '@agent-marketplace/contract'

/** A call as the OpenAPI document describes it, with where it is. */
export interface Operation extends OpenApiOperation {
  method: string
  path: string
}

export type JsonSchema = Record<string, unknown>

export function findOperation(document: OpenApiDocument, id: string): Operation | undefined {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === id) return { ...operation, method: method.toUpperCase(), path }
  return undefined
}

/** What a `$ref` stands for; anything else is itself. */
export function resolve(document: OpenApiDocument, value: JsonSchema): JsonSchema {
  const { $ref } = value
  if (typeof $ref !== 'string') return value
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as JsonSchema | undefined)?.[key], document)
  return (target ?? {}) as JsonSchema
}

export function responseOf(
  document: OpenApiDocument,
  operation: OpenApiOperation,
  status: string,
): OpenApiResponse {
  return resolve(document, operation.responses[status] as unknown as JsonSchema) as unknown as OpenApiResponse
}

export const successStatusesOf = ({ responses }: OpenApiOperation): string[] =>
  Object.keys(responses).filter((status) => status.startsWith('2'))

/** Every code that can come back, with its status. */
export function errorsOf(document: OpenApiDocument, operation: OpenApiOperation): [string, string][] {
  return Object.keys(operation.responses)
    .filter((status) => !status.startsWith('2'))
    .flatMap((status) => {
      const { content } = responseOf(document, operation, status)
      const codes = Object.keys(content['application/json']?.examples ?? {})
      return codes.map((code): [string, string] => [status, code])
    })
}

/** Whether what comes back is JSON, and not a file or a stream. */
export const isJson = (operation: OpenApiOperation, document: OpenApiDocument): boolean =>
  successStatusesOf(operation).some(
    (status) => 'application/json' in responseOf(document, operation, status).content,
  )

/** A live stream has no end that could be waited for. */
export const isStream = (operation: OpenApiOperation, document: OpenApiDocument): boolean =>
  successStatusesOf(operation).some(
    (status) => 'text/event-stream' in responseOf(document, operation, status).content,
  )

/** The example of the body: JSON as a value, a file as text. */
export function exampleBodyOf({ requestBody }: OpenApiOperation): unknown {
  const [media] = Object.values(requestBody?.content ?? {})
  if (!media) return undefined
  return media.example ?? Object.values(media.examples ?? {})[0]?.value
}

/** An example of a parameter, as text. */
export function exampleOfParameter(document: OpenApiDocument, schema: JsonSchema): string {
  const { examples, enum: choices, default: usual } = resolve(document, schema)
  const [example] = [examples, choices].flatMap((list) => (Array.isArray(list) ? list : []))
  const value = example ?? usual ?? ''
  return Array.isArray(value) ? value.join(',') : String(value)
}
