import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFolderStorage } from './folder.ts'
import { describeStorage } from './testing/conformance.ts'

const makeFolder = () => mkdtemp(join(tmpdir(), 'storage-'))
const pathsIn = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describeStorage('folder', async (options) => {
  const directory = await makeFolder()
  return {
    storage: await openFolderStorage({ directory, ...options }),
    async overwrite(cid, bytes) {
      const path = (await pathsIn(directory)).find((found) => found.endsWith(cid))
      await writeFile(path ?? '', bytes)
    },
    reopen: () => openFolderStorage({ directory, ...options }),
    close: () => rm(directory, { recursive: true }),
  }
})

let directory: string
beforeEach(async () => {
  directory = await makeFolder()
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test('leaves nothing but the file, readable by its own user only', async () => {
  const storage = await openFolderStorage({ directory })
  const { cid } = await storage.put(Buffer.from('private'))
  const paths = await pathsIn(directory)
  expect(paths).toHaveLength(1)
  expect(paths[0]?.endsWith(`/${cid}`)).toBe(true)
  expect((await stat(paths[0] ?? '')).mode & 0o777).toBe(0o600)
})

test('closes its folders to other accounts of the machine, also one that was open before', async () => {
  await chmod(directory, 0o755)
  const storage = await openFolderStorage({ directory })
  await storage.put(Buffer.from('private'))
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name))
  const modes = await Promise.all(
    [directory, ...folders].map(async (path) => (await stat(path)).mode & 0o777),
  )
  expect(new Set(modes)).toEqual(new Set([0o700]))
})

test('sweeps away what a crash left half written', async () => {
  await openFolderStorage({ directory })
  await writeFile(join(directory, 'unfinished', 'torn'), 'half a fi')
  const storage = await openFolderStorage({ directory })
  expect(await pathsIn(directory)).toEqual([])
  expect(await storage.has('torn')).toBe(false)
})

test('a folder that cannot be written is UNAVAILABLE, and no draft stays behind', async () => {
  const storage = await openFolderStorage({ directory })
  const { cid } = await storage.put(Buffer.from('first'))
  await rm(directory, { recursive: true })
  await writeFile(directory, 'a file where the folder was')
  await expect(storage.put(Buffer.from('second'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(storage.get(cid)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
