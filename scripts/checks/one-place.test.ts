import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsCreateApp, findRailLiterals, hasOwnTimeLimit } from './one-place.ts'

const root = join(import.meta.dirname, '../..')
const files = globSync(['packages/*/{src,scripts}/**/*.{ts,tsx}', 'examples/**/*.ts'], { cwd: root })
  .filter((path) => !/\/(?:generated|node_modules)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const isTest = ({ path }: { path: string }): boolean => /\.test\.tsx?$|\/testing\//.test(path)

test('payment methods are named by their rails alone', () => {
  const production = files.filter((file) => !isTest(file))
  expect(production.length).toBeGreaterThan(1000)
  expect(production.flatMap(({ path, text }) => findRailLiterals(path, text))).toEqual([])
})

test('every test world is made by startWorld, except where the start itself is tested', () => {
  expect(
    files
      .filter((file) => isTest(file) && callsCreateApp(file.text))
      .map(({ path }) => path)
      .sort(),
  ).toEqual([
    'packages/server/src/demo/seed-demo.chain.test.ts',
    'packages/server/src/sealing/rotate-keys.chain.test.ts',
    'packages/server/src/testing/world/start-world-on.ts',
  ])
})

test.each([
  ['a comparison', "if (job.paymentMethod === 'X402') return"],
  ['an attribute', '<option value="ESCROW">Escrow</option>'],
  ['code inside a template', `\`\${method === 'ESCROW' ? 1 : 0}\``],
])('a literal in %s is found', (_where, text) => {
  expect(findRailLiterals('packages/web/src/a.tsx', text)).toHaveLength(1)
})

test.each([
  ['SQL', "sql`select 1 where payment_method = 'ESCROW'`"],
  ['a comment', "// 'X402' is paid at once"],
  ['a longer word', "'ESCROW_RELEASED'"],
])('%s is none', (_what, text) => {
  expect(findRailLiterals('packages/web/src/a.tsx', text)).toEqual([])
})

test('a call of createApp is found in code and nowhere else', () => {
  expect(callsCreateApp('const app = await createApp(deps)')).toBe(true)
  expect(callsCreateApp("// createApp(deps)\nimport { createApp } from './app.ts'")).toBe(false)
})

test('no test has a time limit of its own, except the run that takes an hour', () => {
  const tests = globSync(['{packages,e2e,scripts}/**/*.test.{ts,tsx}'], { cwd: root }).filter(
    (path) => !path.includes('node_modules'),
  )
  expect(tests.length).toBeGreaterThan(400)
  expect(tests.filter((path) => hasOwnTimeLimit(readFileSync(join(root, path), 'utf8')))).toEqual([
    'packages/server/src/fuzz-long.test.ts',
  ])
  expect(hasOwnTimeLimit("test('a', async () => {\n}, 5_000)\n")).toBe(true)
  expect(hasOwnTimeLimit("describe('a', { timeout: LONG_MS }, () => {\n})\n")).toBe(true)
})
