import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface LockedPackage {
  version?: string
  link?: boolean
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>
}

test('the lockfile holds the native packages of every platform, so that npm ci takes it everywhere', () => {
  const missing = Object.entries(lock.packages).flatMap(([where, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !lock.packages[`${where}/node_modules/${name}`] && !lock.packages[`node_modules/${name}`],
    ),
  )
  expect(missing, 'run: node scripts/complete-lockfile.mjs').toEqual([])
})

test('the lockfile names no download addresses', () => {
  const addressed = Object.entries(lock.packages).filter(
    ([, { link, resolved }]) => !link && resolved !== undefined,
  )
  expect(addressed.map(([name]) => name)).toEqual([])
})
