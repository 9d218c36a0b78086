import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNameResolution } from './resolve-name.ts'

const TYPE_A = 1
const NO_SUCH_NAME = 3

let server: Socket
let resolve: (hostname: string) => Promise<string[]>
beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (query, { port, address }) => server.send(responseTo(query), port, address))
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  resolve = createNameResolution({ servers: [`127.0.0.1:${server.address().port}`] })
})
afterAll(() => new Promise<void>((done) => server.close(() => done())))

/** 192.0.2.7 for every name that begins with `a`, and no IPv6 address; other names are not there. */
function responseTo(query: Buffer): Buffer {
  const header = Buffer.from(query.subarray(0, 12))
  const end = query.indexOf(0, 12) + 5
  const question = query.subarray(12, end)
  const isThere = String.fromCharCode(query[13] ?? 0) === 'a'
  const isAsked = query.readUInt16BE(end - 4) === TYPE_A
  header.writeUInt16BE(0x8180 | (isThere ? 0 : NO_SUCH_NAME), 2)
  header.writeUInt16BE(isThere && isAsked ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 192, 0, 2, 7])
  return Buffer.concat([header, question, ...(isThere && isAsked ? [record] : [])])
}

test('asks the name servers directly, so that no name waits for another', async () => {
  expect(await resolve('a.example')).toEqual(['192.0.2.7'])
})

test('a name that is not there has no address', async () => {
  await expect(resolve('gone.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
