import { base58btc } from 'multiformats/bases/base58'
import { CID } from 'multiformats/cid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Part, StoragePort, StoredContent } from '../port.ts'
import { patternOf } from './pattern.ts'
import { cidByHand, dagBytesByHand } from './unixfs.ts'

/** A storage whose insides the suite can damage. */
export interface StorageUnderTest {
  storage: StoragePort
  /** Puts other bytes where the storage keeps this CID. */
  overwrite(cid: string, bytes: Uint8Array): Promise<void>
  /** The storage as another process, or this one after a restart, would find it. */
  reopen(): Promise<StoragePort>
  close(): Promise<void>
}

const maxBytes = 2_000_000

/** What every adapter promises. The factory gets the size limit to hold. */
export function describeStorage(
  name: string,
  open: (options: { maxBytes: number }) => Promise<StorageUnderTest>,
): void {
  describe(`storage port, ${name}`, () => {
    let subject: StorageUnderTest
    let storage: StoragePort

    beforeAll(async () => {
      subject = await open({ maxBytes })
      storage = subject.storage
    })
    afterAll(() => subject.close())

    test('gives back what it was given, from nothing to many blocks', async () => {
      for (const size of [0, 1, 262_143, 262_144, 262_145, 524_288, 1_500_000, maxBytes]) {
        const bytes = patternOf(size)
        const announced: string[] = []
        const stored = await storage.put(bytes, async (cid) => void announced.push(cid))
        expect(announced).toEqual([stored.cid])
        expect(stored).toEqual({ cid: cidByHand(bytes), sizeBytes: size, dagBytes: dagBytesByHand(bytes) })
        expect(await storage.has(stored.cid)).toBe(true)
        const found = await storage.get(stored.cid)
        expect(Buffer.compare(found?.bytes ?? Buffer.from('missing'), bytes)).toBe(0)
      }
    })

    test('gives the same bytes the same CID, also at the same time, and keeps them over a restart', async () => {
      const bytes = Buffer.from('delivered once, asked for twice')
      const responses = await Promise.all(Array.from({ length: 10 }, () => storage.put(bytes)))
      const [{ cid } = { cid: '' }] = responses
      expect(new Set(responses.map((response) => response.cid))).toEqual(new Set([cidByHand(bytes)]))
      const reopened = await subject.reopen()
      expect(Buffer.from((await reopened.get(cid))?.bytes ?? [])).toEqual(bytes)
    })

    test('has not what it was never given, and finds a file by every spelling of its CID', async () => {
      const absent = cidByHand(Buffer.from('never stored'))
      expect(await storage.get(absent)).toBeUndefined()
      expect(await storage.has(absent)).toBe(false)
      const bytes = patternOf(300_000)
      const { cid } = await storage.put(bytes)
      const spellings = [CID.parse(cid).toV0().toString(), CID.parse(cid).toString(base58btc)]
      for (const spelling of [cid, ...spellings]) {
        expect([spelling, await storage.has(spelling)]).toEqual([spelling, true])
        expect((await storage.get(spelling))?.bytes.length).toBe(bytes.length)
      }
    })

    test('takes no text for a CID that is none, and never leaves its place', async () => {
      const texts = [
        '',
        '.',
        '..',
        '../../../../etc/passwd',
        '/etc/passwd',
        'bafkreia\0',
        'unfinished',
        'QmNotACid',
        'b'.repeat(10_000),
        'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy&arg=x',
      ]
      for (const text of texts) {
        expect([text, await storage.get(text), await storage.has(text)]).toEqual([text, undefined, false])
      }
    })

    test('refuses a file above the limit', async () => {
      const attempt = storage.put(new Uint8Array(maxBytes + 1))
      await expect(attempt).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maxBytes } })
    })

    test('never hands out bytes that are not those of the CID, and storing them again heals it', async () => {
      const bytes = patternOf(600_000)
      const { cid } = await storage.put(bytes)
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(300_000) ^ 1, 300_000)
      const damages = [
        flipped,
        bytes.subarray(0, -1),
        Buffer.alloc(0),
        Buffer.from('another file'),
        Buffer.alloc(maxBytes + 1),
      ]
      for (const damage of damages) {
        await subject.overwrite(cid, damage)
        await expect(storage.get(cid)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
        await storage.put(bytes)
        expect((await storage.get(cid))?.bytes.length).toBe(bytes.length)
      }
    })

    test('takes in a stream piece by piece, under the same CID, and gives back the whole or any part', async () => {
      for (const size of [0, 1, 262_145, maxBytes]) {
        const bytes = patternOf(size)
        const announced: string[] = []
        const stored = await storage.putStream(inPieces(bytes), async (cid) => void announced.push(cid))
        expect(stored).toMatchObject({ cid: cidByHand(bytes), sizeBytes: size })
        expect(announced).toEqual([stored.cid])
        expect(Buffer.compare(await collect(storage, stored), bytes)).toBe(0)
      }
      const bytes = patternOf(700_000)
      const stored = await storage.putStream(inPieces(bytes))
      for (const [start, end] of [
        [0, 1],
        [262_140, 524_300],
        [699_999, 699_999],
        [0, 699_999],
      ] as const)
        expect(await collect(storage, stored, { start, end })).toEqual(bytes.subarray(start, end + 1))
      expect(await storage.read(cidByHand(Buffer.from('never stored')), { sizeBytes: 1 })).toBeUndefined()
    })

    test('a stream that fails, or brings too much, leaves nothing', async () => {
      const bytes = patternOf(400_000)
      async function* broken() {
        yield bytes
        throw new Error('the sender went away')
      }
      await expect(storage.putStream(broken())).rejects.toThrow('the sender went away')
      const stopped = storage.putStream(inPieces(Buffer.from('never recorded')), () =>
        Promise.reject(new Error('not recorded')),
      )
      await expect(stopped).rejects.toThrow('not recorded')
      expect(await storage.has(cidByHand(Buffer.from('never recorded')))).toBe(false)
      expect(await storage.has(cidByHand(bytes))).toBe(false)
      const tooMuch = storage.putStream(inPieces(Buffer.alloc(maxBytes + 1)))
      await expect(tooMuch).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maxBytes } })
    })

    test('a damaged file never streams to its end', async () => {
      const bytes = patternOf(600_000)
      const stored = await storage.putStream(inPieces(bytes))
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(100) ^ 1, 100)
      for (const damage of [flipped, bytes.subarray(1), Buffer.concat([bytes, bytes]), Buffer.alloc(0)]) {
        await subject.overwrite(stored.cid, damage)
        await expect(collect(storage, stored)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
      }
      await subject.overwrite(stored.cid, bytes.subarray(0, 10))
      await expect(collect(storage, stored, { start: 5, end: 20 })).rejects.toMatchObject({
        code: 'INTERNAL_ERROR',
      })
      await storage.putStream(inPieces(bytes))
      expect(await collect(storage, stored)).toEqual(bytes)
    })

    test('lets go of a file, also of one that is not here', async () => {
      const { cid } = await storage.put(Buffer.from('for a while'))
      for (const _twice of [1, 2]) {
        await storage.remove(cid)
        expect([await storage.has(cid), await storage.get(cid)]).toEqual([false, undefined])
      }
      await storage.remove('../../etc/passwd')
    })
  })
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

async function collect(
  storage: StoragePort,
  { cid, sizeBytes }: StoredContent,
  part?: Part,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await storage.read(cid, { sizeBytes, part })) ?? []) chunks.push(chunk)
  return Buffer.concat(chunks)
}
