import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBanned } from './voice.ts'

const root = join(import.meta.dirname, '../..')
const written = [
  '*.md',
  '{docs,examples,scripts,bench,e2e}/**/*.{md,ts,mjs,sh}',
  'packages/*/*.md',
  'packages/*/{src,scripts}/**/*.{md,ts,tsx,mjs}',
]

/** Generated code, what fictional sellers and buyers write, the list itself, and code of other authors. */
const isExempt = (path: string): boolean =>
  /\/generated\/|\/node_modules\/|\/demo\/(?:catalogue\/|words\.ts|testing\/judged-searches\.ts)|^scripts\/checks\/voice/.test(
    path,
  )

test('nothing in comments, pages and messages uses a phrase that CONTRIBUTING.md rules out', () => {
  const paths = globSync(written, { cwd: root }).filter((path) => !isExempt(path))
  expect(paths.length).toBeGreaterThan(1000)
  expect(paths.flatMap((path) => findBanned(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test.each([
  ['a page', 'a.md', 'Whoever calls gets it.'],
  ['a comment', 'a.ts', '/** Tells the owner. */'],
  ['a message', 'a.ts', "throw new Error('The payment is on its way.')"],
  ['a template', 'a.ts', `\`\${amount} USDC are on their way.\``],
  ['a part of the page', 'a.tsx', '<p>By the chain, less what was sent</p>'],
  ['an old spelling', 'a.ts', '// Retried for ever.'],
  ['a roundabout word', 'a.ts', '// The page is asked for again.'],
])('a phrase in %s is found', (_where, path, text) => {
  expect(findBanned(path, text)).toHaveLength(1)
})

test.each([
  ['a name in code', 'a.ts', 'told.push(1)'],
  ['an inserted name', 'a.ts', `\`\${told.length} of them\``],
  ['code on a page', 'a.md', 'Call `tell()`.'],
  ['an allowed phrase', 'a.ts', '// Hard to tell them apart.'],
])('%s is none', (_what, path, text) => {
  expect(findBanned(path, text)).toEqual([])
})
