import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { lockDataDirectory } from './data-directory.ts'
import { StartupError } from './startup-error.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'data-'))
  return () => rm(directory, { recursive: true })
})

test('makes the directory, which others may pass through but not read', async () => {
  const path = join(directory, 'a', 'b')
  const { release, path: real } = lockDataDirectory(path)
  expect(real).toBe(path)
  expect((await stat(path)).mode & 0o777).toBe(0o711)
  expect((await stat(join(path, 'service.lock'))).mode & 0o777).toBe(0o600)
  release()
})

test('leaves the rights of a directory that was there', async () => {
  const path = join(directory, 'private')
  await mkdir(path)
  await chmod(path, 0o700)
  lockDataDirectory(path).release()
  expect((await stat(path)).mode & 0o777).toBe(0o700)
})

test('gives the directory to one at a time', () => {
  const first = lockDataDirectory(directory)
  expect(() => lockDataDirectory(directory)).toThrow(/is in use by another running service/)
  first.release()
  lockDataDirectory(directory).release()
})

test('keeps it from other processes, also after this one has tried to take it again', () => {
  const first = lockDataDirectory(directory)
  expect(() => lockDataDirectory(directory)).toThrow(/is in use/)
  const another = () => {
    const module = JSON.stringify(join(import.meta.dirname, 'data-directory.ts'))
    const script = `(await import(${module})).lockDataDirectory(${JSON.stringify(directory)}).release()`
    return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  }
  expect(another()).toMatchObject({ status: 1, stderr: expect.stringContaining('is in use') })
  first.release()
  expect(another()).toMatchObject({ status: 0, stderr: '' })
})

test('one that could not be taken whole can be taken later', () => {
  const ownerFile = join(directory, 'service.pid')
  mkdirSync(ownerFile)
  expect(() => lockDataDirectory(directory)).toThrow(/cannot be used/)
  rmSync(ownerFile, { recursive: true })
  lockDataDirectory(directory).release()
})

test('a place that cannot hold a directory is one clear line', async () => {
  const file = join(directory, 'file')
  await writeFile(file, '')
  for (const path of [file, join(file, 'inside')]) {
    expect(() => lockDataDirectory(path)).toThrow(StartupError)
    expect(() => lockDataDirectory(path)).toThrow(/^The data directory .* cannot be used: [^\n]*$/)
  }
})

test('a folder that cannot be made is an error at once', () => {
  expect(() => lockDataDirectory('/proc/no-such-folder/data')).toThrow(StartupError)
})
