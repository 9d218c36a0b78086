import type { OpenApiDocument, OpenApiParameter, SampleCall } from '@agent-marketplace/contract'
import { exampleBodyOf, exampleOfParameter, isJson, type Operation } from './operation.ts'

/** What somebody has typed for a call: parameters by where they stand and their name, and the body as text. */
export interface CallValues {
  parameters: Readonly<Record<string, string>>
  body: string | undefined
}

export const keyOf = ({ in: place, name }: Pick<OpenApiParameter, 'in' | 'name'>): string =>
  `${place} ${name}`

/** What is required, with its example. The rest is left out. */
export function startValues(document: OpenApiDocument, operation: Operation): CallValues {
  const required = (operation.parameters ?? []).filter((parameter) => parameter.required)
  const example = exampleBodyOf(operation)
  return {
    parameters: Object.fromEntries(
      required.map((parameter) => [keyOf(parameter), exampleOfParameter(document, parameter.schema)]),
    ),
    body: example === undefined || typeof example === 'string' ? example : JSON.stringify(example, null, 2),
  }
}

/** The call that the values make. A body that is no JSON yet is sent as it stands. */
export function valuesToCall(
  document: OpenApiDocument,
  operation: Operation,
  values: CallValues,
): SampleCall {
  const { operationId: id, method, path, security, requestBody } = operation
  const isFile = requestBody !== undefined && !('application/json' in requestBody.content)
  return {
    id,
    method,
    path,
    origin: document.servers[0]?.url ?? '',
    params: given(values, 'path'),
    query: given(values, 'query'),
    ...(values.body !== undefined && { body: isFile ? values.body : parsed(values.body) }),
    needsKey: security.length > 0,
    isJson: isJson(operation, document),
  }
}

/** Those of one place that are not empty. */
export function given({ parameters }: CallValues, place: OpenApiParameter['in']): Record<string, string> {
  const start = `${place} `
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([key, value]) =>
      key.startsWith(start) && value !== '' ? [[key.slice(start.length), value]] : [],
    ),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
