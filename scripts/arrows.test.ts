import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findBreaches } from './arrows.ts'

const root = dirname(import.meta.dirname)

test('every import follows an arrow of the house', () => {
  expect(findBreaches(root)).toEqual([])
})

test('a forbidden import, a foreign feature and a stray process.env are found', () => {
  const house = mkdtempSync(join(tmpdir(), 'arrows-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(house, path)), { recursive: true })
    writeFileSync(join(house, path), text)
  }
  write('packages/contract/src/a.ts', "import { x } from 'viem'\n")
  write(
    'packages/server/src/features/jobs/service.ts',
    "import { y } from '../agents/store.ts'\nimport './rules.ts'\n",
  )
  write(
    'packages/server/src/platform/db/z.ts',
    "const url = process.env.URL\nimport type { Z } from '../../app.ts'\n",
  )
  expect(findBreaches(house)).toEqual(
    expect.arrayContaining([
      { file: 'packages/contract/src/a.ts', what: 'imports viem' },
      {
        file: 'packages/server/src/features/jobs/service.ts',
        what: 'imports packages/server/src/features/agents/store.ts',
      },
      {
        file: 'packages/server/src/platform/db/z.ts',
        what: 'touches process.env (only main.ts may, for config.ts)',
      },
      { file: 'packages/server/src/platform/db/z.ts', what: 'imports packages/server/src/app.ts' },
    ]),
  )
  expect(findBreaches(house)).toHaveLength(4)
  rmSync(house, { recursive: true })
})
