import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { missingPackages, thisMachine } from './missing-packages.mjs'

const linux = { platform: 'linux', arch: 'x64', libc: 'glibc' }
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'packages-'))
  const packages = {
    '': {},
    'node_modules/plain': {},
    'node_modules/part-linux-x64-gnu': { optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/part-linux-x64-musl': { optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/part-darwin-arm64': { optional: true, os: ['darwin'], cpu: ['arm64'] },
  }
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages }))
})
afterEach(() => rmSync(directory, { recursive: true }))

function install(name: string): void {
  mkdirSync(join(directory, 'node_modules', name), { recursive: true })
  writeFileSync(join(directory, 'node_modules', name, 'package.json'), '{}')
}

test('what npm left out is named, for each machine its own', () => {
  install('plain')
  expect(missingPackages(directory, linux)).toEqual(['node_modules/part-linux-x64-gnu'])
  expect(missingPackages(directory, { ...linux, libc: 'musl' })).toEqual(['node_modules/part-linux-x64-musl'])
  expect(missingPackages(directory, { platform: 'darwin', arch: 'arm64', libc: 'musl' })).toEqual([
    'node_modules/part-darwin-arm64',
  ])
  install('part-linux-x64-gnu')
  expect(missingPackages(directory, linux)).toEqual([])
})

test('this project is installed whole', () => {
  expect(missingPackages(join(import.meta.dirname, '../..'), thisMachine)).toEqual([])
})
