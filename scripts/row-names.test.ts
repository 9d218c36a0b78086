import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findSnakeCase } from './row-names.ts'

const root = join(import.meta.dirname, '..')

test('the server has no snake_case names outside SQL, except those that others chose', () => {
  const paths = globSync('packages/server/{src,scripts}/**/*.ts', { cwd: root })
  expect(paths.length).toBeGreaterThan(500)
  expect(paths.flatMap((path) => findSnakeCase(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test.each([
  ['declared in a row type', 'interface Row { created_at: Date }'],
  ['read from a row', 'const at = row.created_at'],
  ['taken out of a row', 'const { created_at: at } = row'],
  ['taken out as a variable', 'const { created_at } = row'],
  ['written into a row', 'save({ created_at: now })'],
  ['picked from a row type', "type Created = Pick<Row, 'created_at'>"],
  ['read inside a statement', `sql\`select \${row.created_at} from jobs\``],
  [
    'read inside a statement within a statement',
    `sql\`a \${list.map((row) => sql\`\${{ at: row.created_at }}\`)}\``,
  ],
  ['read behind a pattern with quotes', `text.replace(/['"\`]/g, row.created_at)`],
])('a name %s is found', (_where, text) => {
  expect(findSnakeCase('features/any/store.ts', text)).toEqual(['features/any/store.ts: created_at'])
})

test.each([
  ['a column in a statement', 'sql`select created_at from jobs`'],
  ['a camelCase name', 'const { createdAt } = row'],
  ['a constant', 'const DAY_SECONDS = 86_400'],
  ['text', "throw new Error('created_at')"],
  ['a comment', '// created_at\n/** created_at */'],
  ['a column behind an inserted value', `sql\`select \${{ a: 1 }} as created_at\``],
])('%s is none', (_what, text) => {
  expect(findSnakeCase('features/any/store.ts', text)).toEqual([])
})

test('a name that others chose is allowed in its file alone', () => {
  const text = 'const sha2_256 = 0x12'
  expect(findSnakeCase('packages/server/src/ports/storage/cid.ts', text)).toEqual([])
  expect(findSnakeCase('packages/server/src/ports/storage/other.ts', text)).toHaveLength(1)
})
