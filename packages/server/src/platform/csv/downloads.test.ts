import { get, type IncomingMessage } from 'node:http'
import { AppError } from '@agent-marketplace/contract'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDownloads } from './downloads.ts'

/** Over a real socket, with readers that take nothing once the headers are there. */
const downloads = createDownloads()
const server = fastify({ forceCloseConnections: true })
let port = 0

/** More than any socket holds. */
async function* endless(): AsyncGenerator<string[]> {
  while (true) yield Array.from({ length: 100 }, () => 'x'.repeat(1_000))
}

async function* few(): AsyncGenerator<string[]> {
  yield ['one']
  yield ['two']
}

async function* failing(): AsyncGenerator<string[]> {
  yield Promise.reject(new AppError('UNAVAILABLE', { message: 'The database is not available' }))
}

const sources = { endless, few, failing }

beforeAll(async () => {
  server.get<{ Params: { owner: string; source: keyof typeof sources } }>(
    '/:owner/:source',
    async ({ params }, reply) => {
      await downloads.send(reply, params.owner, {
        name: 'rows.csv',
        header: ['Row'],
        batches: sources[params.source](),
        cellsOf: (row) => [row],
      })
      return reply
    },
  )
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  port = Number(new URL(address).port)
})
afterAll(() => server.close())

/** The response with nothing of its body read. */
const open = (owner: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) =>
    get({ host: '127.0.0.1', port, path: `/${owner}/endless`, agent: false }, resolve).on('error', reject),
  )
const read = (owner: string, source: keyof typeof sources) => server.inject(`/${owner}/${source}`)

test('an owner has two open at once, until one is read or its reader goes away', async () => {
  const [first, second] = await Promise.all([open('ada'), open('ada')])
  expect([first.statusCode, second.statusCode]).toEqual([200, 200])
  const third = await read('ada', 'few')
  expect([third.statusCode, third.json().message]).toEqual([
    429,
    'At most 2 downloads of one owner can be open at once. Finish or cancel one of them.',
  ])
  expect((await read('bob', 'few')).body).toBe('Row\r\none\r\ntwo\r\n')

  first.destroy()
  await expect.poll(async () => (await read('ada', 'few')).statusCode).toBe(200)
  // What is read to its end makes room for the next.
  for (let count = 0; count < 3; count += 1) expect((await read('ada', 'few')).statusCode).toBe(200)
  second.destroy()
})

test('what fails before the first row has a status of its own, and is not open any more', async () => {
  for (let count = 0; count < 3; count += 1) expect((await read('cyd', 'failing')).statusCode).toBe(503)
  expect((await read('cyd', 'few')).headers['content-disposition']).toBe('attachment; filename="rows.csv"')
})
