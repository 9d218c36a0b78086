import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('a command beside a production service changes nothing that is installed', () => {
  const root = mkdtempSync(join(tmpdir(), 'installation-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  cpSync(join(import.meta.dirname, '..'), join(root, 'scripts'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{"private": true, "type": "module"}')
  writeFileSync(join(root, 'package-lock.json'), '{"lockfileVersion": 3, "packages": {}}')
  const built = join(root, 'node_modules/.service')
  mkdirSync(built, { recursive: true })
  writeFileSync(join(root, 'command.mjs'), 'console.log(process.argv[2])')

  const printed = execFileSync(process.execPath, ['scripts/run.mjs', 'command.mjs', 'done'], {
    cwd: root,
    env: { ...process.env, MODE: 'production' },
    encoding: 'utf8',
  })
  expect(printed).toBe('done\n')
  expect(existsSync(built)).toBe(true)
})
