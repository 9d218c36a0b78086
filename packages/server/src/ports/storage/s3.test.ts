import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openS3Storage, type S3Options } from './s3.ts'
import { describeStorage } from './testing/conformance.ts'
import { startS3 } from './testing/start-s3.ts'

let spoolFolder: string
let server: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  spoolFolder = await mkdtemp(join(tmpdir(), 'spool-'))
  server = await startS3()
})
afterAll(async () => {
  await server.close()
  await rm(spoolFolder, { recursive: true })
})

describeStorage('S3', async (options) => {
  const open = () => openS3Storage({ ...server.settings, spoolFolder, ...options })
  return { storage: await open(), overwrite: server.overwrite, reopen: open, close: async () => undefined }
})

const openWith = (more: Partial<S3Options>) => openS3Storage({ ...server.settings, spoolFolder, ...more })

test('nothing stays on this disk', async () => {
  await (await openWith({})).put(Buffer.from('sent on'))
  expect(await readdir(spoolFolder)).toEqual([])
})

test.each([
  ['a wrong secret', { secretAccessKey: 'a-wrong-secret-key' }],
  ['an unknown key', { accessKeyId: 'SOMEBODY' }],
  ['no such bucket', { bucket: 'elsewhere' }],
  ['nobody there', { url: 'http://127.0.0.1:1' }],
])('%s is UNAVAILABLE, and the secret is in no error', async (_name, more) => {
  const storage = await openWith(more)
  const error = await storage.put(Buffer.from('x')).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'UNAVAILABLE' })
  expect(inspect([storage, error], { depth: 20, showHidden: true })).not.toContain('a-wrong-secret-key')
})
