import type { OpenApiDocument } from './openapi.ts'
import type { OpenApiOperation, OpenApiParameter } from './operation.ts'
import type { OpenApiResponse } from './responses.ts'
import type { JsonSchema } from './schemas.ts'

/** Reads what an OpenAPI document of ours says about a call. It imports nothing but types, so that the page can use it. */

const JSON_TYPE = 'application/json'

/** A call as the document describes it, with where it is. */
export interface PlacedOperation extends OpenApiOperation {
  method: string
  path: string
}

export function findOperation(document: OpenApiDocument, id: string): PlacedOperation | undefined {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === id) return { ...operation, method: method.toUpperCase(), path }
  return undefined
}

/** What a `$ref` stands for; anything else is itself. */
export function resolveReference(document: OpenApiDocument, value: JsonSchema): JsonSchema {
  const { $ref } = value
  if (typeof $ref !== 'string') return value
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as JsonSchema | undefined)?.[key], document)
  return (target ?? {}) as JsonSchema
}

export function responseOf(
  { components }: OpenApiDocument,
  operation: OpenApiOperation,
  status: string,
): OpenApiResponse | undefined {
  const response = operation.responses[status]
  if (response === undefined || !('$ref' in response)) return response
  return components.responses[response.$ref.split('/').at(-1) ?? '']
}

export const successStatusesOf = ({ responses }: OpenApiOperation): string[] =>
  Object.keys(responses).filter((status) => status.startsWith('2'))

/** Every code that can come back, with its status. */
export function errorsOf(document: OpenApiDocument, operation: OpenApiOperation): [string, string][] {
  return Object.keys(operation.responses)
    .filter((status) => !status.startsWith('2'))
    .flatMap((status) => {
      const content = responseOf(document, operation, status)?.content[JSON_TYPE]
      return Object.keys(content?.examples ?? {}).map((code): [string, string] => [status, code])
    })
}

const returns = (document: OpenApiDocument, operation: OpenApiOperation, mediaType: string): boolean =>
  successStatusesOf(operation).some(
    (status) => mediaType in (responseOf(document, operation, status)?.content ?? {}),
  )

/** Whether what comes back is JSON, and not a file or a stream. */
export const returnsJson = (document: OpenApiDocument, operation: OpenApiOperation): boolean =>
  returns(document, operation, JSON_TYPE)

/** A live stream has no end that could be waited for. */
export const returnsStream = (document: OpenApiDocument, operation: OpenApiOperation): boolean =>
  returns(document, operation, 'text/event-stream')

/** The example of the body: JSON as a value, a file as text. */
export function exampleBodyOf({ requestBody }: OpenApiOperation): unknown {
  const [media] = Object.values(requestBody?.content ?? {})
  if (!media) return undefined
  return media.example ?? Object.values(media.examples ?? {})[0]?.value
}

/** An example of a parameter, as text. */
export function exampleOfParameter(document: OpenApiDocument, { schema }: OpenApiParameter): string {
  const { examples, enum: choices, default: usual } = resolveReference(document, schema)
  const [example] = [examples, choices].flatMap((list) => (Array.isArray(list) ? list : []))
  const value = example ?? usual ?? ''
  return Array.isArray(value) ? value.join(',') : String(value)
}
