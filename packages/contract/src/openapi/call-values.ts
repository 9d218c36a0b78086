import type { OpenApiDocument } from './openapi.ts'
import type { OpenApiParameter } from './operation.ts'
import { exampleBodyOf, exampleOfParameter, type PlacedOperation, returnsJson } from './read-operation.ts'
import type { SampleCall } from './samples.ts'

/** What is given for a call: parameters by where they stand and their name, and the body as text. */
export interface CallValues {
  parameters: Readonly<Record<string, string>>
  body: string | undefined
}

export const parameterKey = ({ in: place, name }: Pick<OpenApiParameter, 'in' | 'name'>): string =>
  `${place} ${name}`

/** What is required, with its example. The rest is left out. */
export function exampleValues(document: OpenApiDocument, operation: PlacedOperation): CallValues {
  const required = (operation.parameters ?? []).filter((parameter) => parameter.required)
  const example = exampleBodyOf(operation)
  return {
    parameters: Object.fromEntries(
      required.map((parameter) => [parameterKey(parameter), exampleOfParameter(document, parameter)]),
    ),
    body: example === undefined || typeof example === 'string' ? example : JSON.stringify(example, null, 2),
  }
}

/** The call that the values make. A body that is no JSON yet is sent as it stands. */
export function callOf(
  document: OpenApiDocument,
  operation: PlacedOperation,
  values: CallValues,
): SampleCall {
  const { operationId: id, method, path, security, requestBody } = operation
  const isFile = requestBody !== undefined && !('application/json' in requestBody.content)
  return {
    id,
    method,
    path,
    origin: document.servers[0]?.url ?? '',
    params: valuesIn('path', values),
    query: valuesIn('query', values),
    ...(values.body !== undefined && { body: isFile ? values.body : parsed(values.body) }),
    needsKey: security.length > 0,
    isJson: returnsJson(document, operation),
  }
}

/** Those of one place that are not empty. */
export function valuesIn(place: OpenApiParameter['in'], { parameters }: CallValues): Record<string, string> {
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
