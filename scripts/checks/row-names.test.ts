import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findNeedlessAliases, findSnakeCase } from './row-names.ts'

const root = join(import.meta.dirname, '../..')
const files = globSync('packages/server/{src,scripts}/**/*.ts', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}))

test('the server has no snake_case names outside SQL, except those that others chose', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.flatMap(({ path, text }) => findSnakeCase(path, text))).toEqual([])
})

test('no statement names a column as the database layer names it anyway', () => {
  expect(files.flatMap(({ path, text }) => findNeedlessAliases(path, text))).toEqual([])
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

test.each([
  ['created_at as "createdAt"'],
  ['jobs.created_at as "createdAt"'],
  ['created_at AS "createdAt"'],
  ['created_at\n  as "createdAt"'],
  ['amount as "amount"'],
])('the alias in %j is needless', (columns) => {
  expect(findNeedlessAliases('features/any/store.ts', `sql\`select ${columns} from jobs\``)).toHaveLength(1)
})

test.each([
  ['id as "jobId"'],
  ['min(created_at) as "createdAt"'],
  ['created_at as "paidAt"'],
  ['owner_id as seller'],
])('the alias in %j says something', (columns) => {
  expect(findNeedlessAliases('features/any/store.ts', `sql\`select ${columns} from jobs\``)).toEqual([])
})
