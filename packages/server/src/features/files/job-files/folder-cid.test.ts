import { importer } from 'ipfs-unixfs-importer'
import { expect, test } from 'vitest'
import { takeIn } from '../../../ports/storage/content.ts'
import { streamOf } from '../../../ports/storage/spool.ts'
import { patternOf } from '../../../ports/storage/testing/pattern.ts'
import { computeFolderCid } from './folder-cid.ts'

const entryOf = async (name: string, bytes: Uint8Array) => ({
  name,
  ...(await takeIn(streamOf(bytes), { maxBytes: 1e9, keep: async () => undefined })),
})

test('gives the CID that ipfs add -r --cid-version 1 gives', async () => {
  // echo hello > a.txt; echo world > b.txt; the empty folder is known to every node.
  expect(await computeFolderCid([])).toBe('bafybeiczsscdsbs7ffqz55asqdf3smv6klcw3gofszvwlyarci47bgf354')
})

test('agrees with the importer over whole files, in any order', async () => {
  const files = {
    'Zażółć.csv': patternOf(5),
    'a.bin': patternOf(262_145),
    'b.bin': patternOf(174 * 262_144 + 1),
    empty: patternOf(0),
  }
  const entries = await Promise.all(Object.entries(files).map(([name, bytes]) => entryOf(name, bytes)))
  const source = Object.entries(files).map(([name, content]) => ({ path: `folder/${name}`, content }))
  const nowhere = { put: async <Cid>(cid: Cid) => cid } as unknown as Parameters<typeof importer>[1]
  let last = ''
  for await (const { cid } of importer(source, nowhere, {
    profile: 'unixfs-v0-2015',
    cidVersion: 1,
    rawLeaves: true,
  }))
    last = cid.toString()
  expect(await computeFolderCid(entries)).toBe(last)
  expect(await computeFolderCid(entries.toReversed())).toBe(last)
})

test('names and contents are part of it', async () => {
  const [a, b] = [await entryOf('a', Buffer.from('1')), await entryOf('a', Buffer.from('2'))]
  const cids = await Promise.all([[a], [b], [{ ...a, name: 'b' }]].map(computeFolderCid))
  expect(new Set(cids).size).toBe(3)
})
