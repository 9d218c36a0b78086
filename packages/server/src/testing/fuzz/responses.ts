import Schema from 'typebox/schema'
import { expect } from 'vitest'
import type { Document, JsonSchema, Operation } from './document.ts'

export interface GivenResponse {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

export type CheckResponse = (operation: Operation, response: GivenResponse, seen: string) => void

/** These are on every response; the others that the document names depend on what happened. */
const constantHeaders = /^x-(request-id|ratelimit-)/

/** Holds a response against what the document says: its status, its type, its headers and its body. */
export function createResponseCheck(document: Document): CheckResponse {
  const validators = new Map<JsonSchema, Schema.Validator>()

  function problemsOf(schema: JsonSchema, value: unknown): string[] {
    const validator = validators.get(schema) ?? Schema.Compile({ ...schema, components: document.components })
    validators.set(schema, validator)
    if (validator.Check(value)) return []
    const [, errors] = validator.Errors(value)
    return errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  return (operation, { statusCode, headers, body }, seen) => {
    expect(statusCode, seen).toBeLessThan(500)
    const documented = operation.responses[statusCode]
    if (!documented) throw new Error(`${seen}: the status is not in the document`)

    for (const [name, { schema }] of Object.entries(documented.headers)) {
      const text = headers[name]
      if (constantHeaders.test(name)) expect(text, `${seen}: ${name}`).toBeDefined()
      if (text === undefined) continue
      for (const one of [text].flat()) {
        const value = schema.type === 'integer' ? Number(one) : one
        expect(problemsOf(schema, value), `${seen}: ${name}`).toEqual([])
      }
    }

    const [type = ''] = String(headers['content-type']).split(';')
    const media = documented.content[type]
    if (!media) throw new Error(`${seen}: the type ${type} is not in the document`)
    const value: unknown = type.endsWith('json') ? JSON.parse(body) : body
    expect(problemsOf(media.schema, value), seen).toEqual([])

    if (statusCode >= 400) {
      expect(value, seen).toMatchObject({ error: { statusCode, requestId: headers['x-request-id'] } })
    }
  }
}
