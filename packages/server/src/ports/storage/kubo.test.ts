import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type KuboOptions, openKuboStorage } from './kubo.ts'
import type { StoragePort } from './port.ts'
import { describeStorage } from './testing/conformance.ts'
import { type KuboStub, startKuboStub } from './testing/kubo-stub.ts'

let spoolFolder: string
beforeAll(async () => {
  spoolFolder = await mkdtemp(join(tmpdir(), 'spool-'))
})
afterAll(() => rm(spoolFolder, { recursive: true }))
const openKubo = (options: Omit<KuboOptions, 'spoolFolder'>) => openKuboStorage({ ...options, spoolFolder })

describeStorage('Kubo', async (options) => {
  const stub = await startKuboStub()
  const open = () => openKubo({ url: stub.url, ...options })
  return {
    storage: await open(),
    overwrite: async (cid, bytes) => void stub.pins.set(cid, bytes),
    reopen: open,
    close: stub.close,
  }
})

const authorization = 'Basic c2VydmljZTpzZWNyZXQ='
const file = Buffer.from('a delivery')
let stub: KuboStub
let storage: StoragePort
let cid: string

beforeAll(async () => {
  stub = await startKuboStub({ authorization })
  storage = await openKubo({ url: `${stub.url}/`, authorization })
  cid = (await storage.put(file)).cid
})
afterAll(() => stub.close())
afterEach(() => stub.intercept(undefined))

const always = (reply: (response: ServerResponse) => unknown) =>
  stub.intercept((request, response) => {
    request.resume()
    reply(response)
    return true
  })
const onlyFor = (command: string, reply: (response: ServerResponse) => unknown) =>
  stub.intercept((request, response) => {
    if (!request.url?.startsWith(`/api/v0/${command}?`)) return false
    reply(response)
    return true
  })
const expectUnavailable = async (subject = storage) => {
  const attempts = [subject.put(file), subject.get(cid), subject.has(cid)]
  for (const attempt of attempts.map((promise) => promise.catch((error: unknown) => error)))
    expect(await attempt).toMatchObject({ code: 'UNAVAILABLE' })
}

test('a node that is away, broken or speaks nonsense is UNAVAILABLE', async () => {
  always((response) => response.writeHead(503).end())
  await expectUnavailable()
  always((response) => response.writeHead(500).end('{"Message":"repo is locked","Code":0}'))
  await expectUnavailable()
  always((response) => response.destroy())
  await expectUnavailable()
  always((response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
  await expectUnavailable()

  const gone = await startKuboStub()
  await gone.close()
  await expectUnavailable(await openKubo({ url: gone.url }))
})

test('a response to add that is nonsense, or another CID, is not believed', async () => {
  const bodies = [
    '',
    'null\n',
    '<html>',
    '{"Hash":7}',
    '{"Hash":"bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"}',
  ]
  for (const body of bodies) {
    always((response) => response.writeHead(200).end(body))
    await expect(storage.put(file)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  }
})

test('a node that never responds, or stops halfway, is UNAVAILABLE in bounded time', async () => {
  const hasty = await openKubo({ url: stub.url, authorization, timeoutMs: 50 })
  always(() => undefined)
  await expectUnavailable(hasty)
  onlyFor('cat', (response) => response.writeHead(200).write('a deli'))
  await expect(hasty.get(cid)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('reading stops at the size limit, however much the node sends', async () => {
  let sentBytes = 0
  const chunk = Buffer.alloc(100_000)
  onlyFor('cat', (response) => {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed) {
        sentBytes += chunk.length
        if (!response.write(chunk)) return void response.once('drain', pour)
      }
    }
    pour()
  })
  const small = await openKubo({ url: stub.url, authorization, maxBytes: 1_000_000 })
  await expect(small.get(cid)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
  expect(sentBytes).toBeGreaterThan(1_000_000)

  always((response) => response.writeHead(500).end(Buffer.alloc(1_000_000)))
  await expect(small.has(cid)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('the credential is sent, and is in no error and no print', async () => {
  await expectUnavailable(await openKubo({ url: stub.url, authorization: 'Basic wrong' }))
  always((response) => response.writeHead(500).end(`you sent ${authorization}`))
  const error = await storage.get(cid).catch((caught: unknown) => caught)
  const shown = inspect([storage, error], { depth: 20, showHidden: true })
  expect(shown).toContain('UNAVAILABLE')
  expect(shown).not.toContain(authorization)
  const address = stub.url.replace('//', '//service:secret@')
  await expect(openKubo({ url: address })).rejects.toThrow(/^Give the credential of the Kubo node apart/)
})
