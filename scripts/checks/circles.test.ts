import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const directories: string[] = []

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

describe('the linter, with the configuration of this project', () => {
  test('accepts files that import one another in one direction', () => {
    expect(
      lint({ 'a.ts': "import type { B } from './b.ts'\nexport type A = B\n", 'b.ts': 'export type B = 1\n' }),
    ).toMatchObject({ status: 0 })
  })

  test('rejects a circle, also one of types alone and one over a third file', () => {
    const { status, output } = lint({
      'a.ts': "import type { B } from './b.ts'\nexport type A = B | 0\n",
      'b.ts': "export type { C as B } from './c.ts'\n",
      'c.ts': "import type { A } from './a.ts'\nexport type C = A | 1\n",
    })
    expect(status).toBe(1)
    expect(output).toContain('noImportCycles')
  })
})

function lint(files: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'circles-'))
  directories.push(directory)
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  writeFileSync(join(directory, 'biome.json'), JSON.stringify({ linter: config.linter }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', '.'], {
    cwd: directory,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}
