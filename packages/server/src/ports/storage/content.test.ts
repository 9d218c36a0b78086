import { createCipheriv, createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { assertContent, computeCid } from './content.ts'
import { patternOf } from './testing/pattern.ts'
import { cidByHand } from './testing/unixfs.ts'

test('gives the CIDs that ipfs add --cid-version 1 gives', async () => {
  const known = {
    'hello\n': 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am',
    'hello world': 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
    '': 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
  }
  for (const [text, cid] of Object.entries(known)) expect(await computeCid(Buffer.from(text))).toBe(cid)
})

test('the specification written out by hand gives Kubo’s own CID for a large file', () => {
  // A file of Kubo's test suite: the key stream of ChaCha20 under a hashed seed, in blocks of 1 MiB.
  const mebibyte = 1_048_576
  const key = createHash('sha256').update('v1-seed').digest()
  const bytes = createCipheriv('chacha20', key, Buffer.alloc(16)).update(Buffer.alloc(175 * mebibyte))
  expect(cidByHand(bytes, { blockSize: mebibyte })).toBe(
    'bafybeidhd7lo2n2v7lta5yamob3xwhbxcczmmtmhquwhjesi35jntf7mpu',
  )
})

test('agrees with the specification written out by hand, at every edge of a block', async () => {
  for (const size of [0, 1, 262_143, 262_144, 262_145, 524_287, 524_288, 524_289, 10_000_000]) {
    const bytes = patternOf(size)
    expect([size, await computeCid(bytes)]).toEqual([size, cidByHand(bytes)])
  }
})

test('agrees for a file that needs a second level of links', async () => {
  const bytes = Buffer.alloc(174 * 262_144 + 1, 'more than one node can link to')
  expect(await computeCid(bytes)).toBe(cidByHand(bytes))
})

test('distinguishes content from other content', async () => {
  const bytes = Buffer.from('hello\n')
  const cid = await computeCid(bytes)
  await assertContent(cid, bytes)
  await expect(assertContent(cid, Buffer.from('hello'))).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
})
