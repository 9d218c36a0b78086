import fc from 'fast-check'
import { expect } from 'vitest'
import { type Document, type Operation, readDocument } from './document.ts'
import type { FuzzedService } from './people.ts'
import { requestsTo } from './requests.ts'
import { type CheckResponse, createResponseCheck } from './responses.ts'
import { createValues, type Values } from './values.ts'

export interface Reading {
  document: Document
  values: Values
  checkResponse: CheckResponse
}

/** The document at this address, and what its requests and responses are made of and held against. */
export async function readFor({ http, known }: FuzzedService, url: string): Promise<Reading> {
  const document = await readDocument(http, url)
  expect(document.operations.length).toBeGreaterThan(80)
  return { document, values: createValues(document, known), checkResponse: createResponseCheck(document) }
}

export interface Walk {
  accept: string
  /** Requests to every operation. */
  runs: number
  seed: number
  /** Called before each request, and with its response. */
  onSend?: () => Promise<void>
  onResponse?: (operation: Operation, statusCode: number) => Promise<void>
}

/** Sends requests to every operation of the document, and holds each response against it. */
export async function walk(
  service: FuzzedService,
  { document, values, checkResponse }: Reading,
  { accept, runs, seed, onSend, onResponse }: Walk,
): Promise<void> {
  for (const operation of document.operations) {
    await fc.assert(
      fc.asyncProperty(requestsTo(operation, values), async ({ caller, ...request }) => {
        const headers = { accept, ...request.headers, ...service.headersOf(caller) }
        await onSend?.()
        const response = await send(service, operation, { ...request, headers })
        checkResponse(operation, response, seen(operation, response))
        await onResponse?.(operation, response.statusCode)
      }),
      { seed, numRuns: runs },
    )
    // A request may end the session that all the others use.
    if (operation.method !== 'GET') await service.restore()
  }
}

interface Sent {
  url: string
  headers: Record<string, string>
  payload: string | Buffer | undefined
}

export function send({ http }: FuzzedService, { method }: Operation, { url, headers, payload }: Sent) {
  return http.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
}

export function seen({ id }: Operation, { statusCode, body }: { statusCode: number; body: string }): string {
  return `${id} ${statusCode} ${body.slice(0, 300)}`
}
