import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actionWords, subjectWords } from '../../packages/web/src/features/admin/audit-words.ts'

const features = join(import.meta.dirname, '../../packages/server/src/features')
const sources = globSync('**/*.ts', { cwd: features })
  .filter((name) => !name.includes('.test.'))
  .map((name) => readFileSync(join(features, name), 'utf8'))

/** Every value that the service gives to this member somewhere. */
const valuesOf = (member: string, pattern: string): string[] => [
  ...new Set(
    sources.flatMap((text) =>
      [...text.matchAll(new RegExp(`${member}: '(${pattern})'`, 'g'))].map(([, value]) => value ?? ''),
    ),
  ),
]

test('the console has words for everything that the service writes into the audit log', () => {
  const actions = valuesOf('action', '[a-z_]+\\.[a-z_]+')
  const subjects = valuesOf('subjectType', '[a-z_]+')
  expect(actions.length).toBeGreaterThan(10)
  expect(subjects.length).toBeGreaterThan(5)
  expect(actions.filter((action) => actionWords({ action }) === action)).toEqual([])
  expect(subjects.filter((subjectType) => subjectWords({ subjectType }) === subjectType)).toEqual([])
})
