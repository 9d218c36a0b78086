import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { namedSettings } from '../../packages/server/src/config/settings.ts'

/** The package's own types lead nowhere. */
interface LintResult {
  messages: { type: string; message: string }[]
}

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('the Dockerfile is without problems', () => {
  expect(validate(read('Dockerfile'))).toEqual([])
  expect(validate('FROM node\nRUNN npm ci')).not.toEqual([])
})

test('a container counts as unhealthy only where its process does not respond', () => {
  const [, check] = /^HEALTHCHECK[^\n]*\\\n([^\n]*)/m.exec(read('Dockerfile')) ?? []
  expect(check).toContain('/health/live')
})

test('compose.yaml follows the schema of Compose', () => {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] })
  const errorsOf = (file: string): string[] => {
    const results: LintResult[] = linter.lintFiles([file], false)
    expect(results).toHaveLength(1)
    return results.flatMap(({ messages }) =>
      messages.filter(({ type }) => type === 'error').map(({ message }) => message),
    )
  }
  expect(errorsOf(join(root, 'compose.yaml'))).toEqual([])
  const directory = mkdtempSync(join(tmpdir(), 'compose-'))
  const broken = join(directory, 'compose.yaml')
  writeFileSync(broken, read('compose.yaml').replace('image: caddy', 'imag: caddy'))
  expect(errorsOf(broken)).toHaveLength(1)
  rmSync(directory, { recursive: true })
})

test('the example of the settings has all that production requires, and nothing unknown', () => {
  const given = [...read('deploy/production.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(
    ([, name]) => name,
  )
  const known = namedSettings.map(([name]) => name)
  expect(given.filter((name) => !known.some((other) => other === name))).toEqual([])
  const required = namedSettings
    .filter(([name, { production }]) => production === 'required' && name !== 'KUBO_URL')
    .map(([name]) => name)
  expect(required.filter((name) => !given.includes(name))).toEqual([])
})

test.runIf(existsSync('/usr/bin/systemd-analyze'))('systemd takes the units', () => {
  const directory = mkdtempSync(join(tmpdir(), 'units-'))
  for (const unit of readdirSync(join(root, 'deploy/systemd'))) {
    const instance = join(directory, unit.replace('@.', '@4001.'))
    copyFileSync(join(root, 'deploy/systemd', unit), instance)
    const { stderr } = spawnSync('/usr/bin/systemd-analyze', ['verify', instance], { encoding: 'utf8' })
    // What it says of other units is a matter of this machine.
    expect(stderr.split('\n').filter((line) => line.includes('agent-marketplace'))).toEqual([])
  }
  rmSync(directory, { recursive: true })
})
