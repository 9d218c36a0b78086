import { AppError, byWholeAccount, defineEndpoint, oneForm } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestHttp, testPrincipal, tokenFor } from '../../testing/test-http.ts'
import { route } from './call.ts'
import { installOwnWrites } from './own-writes.ts'

const common = { tag: 'Test', summary: 'test', description: 'test', status: 200, errors: [] } as const
const response = oneForm(Type.Object({ data: Type.Unknown() }))
const read = defineEndpoint({
  ...common,
  id: 'read',
  method: 'GET',
  path: '/api/read',
  access: 'owner',
  rate: 'api',
  response,
})
const write = defineEndpoint({
  ...common,
  id: 'write',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/write',
  access: 'public',
  rate: 'api',
  response,
})

let failure: AppError | undefined
const remembered: string[] = []
let http: Awaited<ReturnType<typeof createTestHttp>>
beforeAll(async () => {
  http = await createTestHttp([
    route(read, async () => ({ data: 1 })),
    route(write, async () => {
      if (failure) throw failure
      return { data: 1 }
    }),
  ])
  installOwnWrites(http.app, {
    remember: async (ownerId) => void remembered.push(ownerId),
    positionOf: async () => undefined,
    close: () => undefined,
  })
})
afterAll(() => http.close())
beforeEach(() => {
  failure = undefined
  remembered.length = 0
})

const headers = { authorization: `Bearer ${tokenFor()}` }
const post = async (given: Record<string, string> = headers) =>
  (await http.app.inject({ method: 'POST', url: '/api/write', headers: given })).statusCode

test('every write of a caller is remembered, also one that fails after it has committed something', async () => {
  expect(await post()).toBe(200)
  failure = new AppError('CONFLICT')
  expect(await post()).toBe(409)
  expect(remembered).toEqual([testPrincipal.ownerId, testPrincipal.ownerId])
})

test('neither reads nor writes of nobody are', async () => {
  expect((await http.app.inject({ url: '/api/read', headers })).statusCode).toBe(200)
  expect(await post({})).toBe(200)
  expect(remembered).toEqual([])
})
