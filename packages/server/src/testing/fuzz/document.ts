import type { TestClient } from '../sign-in.ts'

/** What the fuzz test knows of a schema. Everything comes from the document's own text. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, JsonSchema>
  required?: string[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
}

export interface Reply {
  headers: Record<string, { schema: JsonSchema }>
  content: Record<string, { schema: JsonSchema }>
}

export interface Operation {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  parameters: Parameter[]
  body: { required: boolean; schema: JsonSchema } | undefined
  /** By status. */
  responses: Record<string, Reply>
  /** A response without an end; nobody can wait for it. */
  isStream: boolean
}

export interface Document {
  /** What the schemas refer to. */
  components: unknown
  operations: Operation[]
  /** The schema itself, or the one that it refers to. */
  resolve(schema: JsonSchema): JsonSchema
}

interface WrittenOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json'?: { schema: JsonSchema } } }
  responses: Record<string, object>
}

/** Reads a document from the server that it describes. */
export async function readDocument(http: TestClient, url: string): Promise<Document> {
  const { statusCode, body } = await http.inject({ url })
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}`)
  const root = JSON.parse(body)
  const paths: Record<string, Record<string, WrittenOperation>> = root.paths

  function follow<Target>(node: object): Target {
    if (!('$ref' in node) || typeof node.$ref !== 'string') return node as Target
    const steps = node.$ref.slice('#/'.length).split('/')
    const target = steps.reduce((place, step) => place?.[step], root)
    if (!target) throw new Error(`${url} has nothing at ${node.$ref}`)
    return follow(target)
  }

  function readResponse(written: object): Reply {
    const { headers, content } = follow<{ headers: Record<string, object>; content: Reply['content'] }>(
      written,
    )
    const followed = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), follow(header)])
    return { headers: Object.fromEntries(followed), content }
  }

  function readOperation(path: string, method: string, written: WrittenOperation): Operation {
    const responses = Object.fromEntries(
      Object.entries(written.responses).map(([status, response]) => [status, readResponse(response)]),
    )
    const { requestBody } = written
    const json = requestBody?.content['application/json']
    return {
      id: written.operationId,
      method: method.toUpperCase() as Operation['method'],
      path,
      parameters: written.parameters ?? [],
      // A file has no shape that could be broken.
      body: json && { required: requestBody?.required ?? false, schema: json.schema },
      responses,
      isStream: Object.values(responses).some(({ content }) => 'text/event-stream' in content),
    }
  }

  return {
    components: root.components,
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, written]) => readOperation(path, method, written)),
    ),
    resolve: (schema) => follow<JsonSchema>(schema),
  }
}
