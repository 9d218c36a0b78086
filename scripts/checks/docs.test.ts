import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })]
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const exists = (path: string): boolean => globSync(path, { cwd: root }).length > 0

const codeBlock = /^```.*?^```$/gms
const codeSpan = /`([^`\n]+)`/g
const repositoryPath = /(?:^|(?<=\s))(?:packages|docs|scripts|e2e|bench|examples)\/[\w./*-]*/g
const link = /\]\(([^)\s]+)\)/g
const elsewhere = /^(?:[a-z]+:|#)/

/** Paths named in running text, also as part of a command. */
function pathsIn(markdown: string): string[] {
  const spans = [...markdown.replace(codeBlock, '').matchAll(codeSpan)].map(([, code]) => code ?? '')
  return spans.flatMap((code) => code.match(repositoryPath) ?? [])
}

function linksIn(markdown: string): string[] {
  const targets = [...markdown.replace(codeBlock, '').matchAll(link)].map(([, target]) => target ?? '')
  return targets.filter((target) => !elsewhere.test(target)).map((target) => target.split('#')[0] ?? '')
}

test('a path and a link are found where they are written', () => {
  const markdown =
    'See `packages/a.ts`, `node docs/b.ts now` and [c](../c.md#top), not [d](https://d.example).'
  expect(pathsIn(markdown)).toEqual(['packages/a.ts', 'docs/b.ts'])
  expect(linksIn(markdown)).toEqual(['../c.md'])
})

describe.each(pages)('%s', (page) => {
  test('names only files that exist', () => {
    expect(pathsIn(read(page)).filter((path) => !exists(path))).toEqual([])
  })

  test('links only to files that exist', () => {
    const missing = linksIn(read(page)).filter((target) => !existsSync(join(root, dirname(page), target)))
    expect(missing).toEqual([])
  })
})

test.each(['examples/seller-agent.ts', 'examples/buyer-agent.ts'])(
  'the README shows all of %s',
  (example) => {
    expect(read('README.md')).toContain(read(example).trimEnd())
  },
)

test.each(['http-agent.ts', 'http_agent.py', 'connect-agent.sh'])(
  'examples/%s is short enough to copy from the page',
  (example) => {
    const lines = read(`examples/${example}`).split('\n')
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(20)
  },
)

test('every decision has a number of its own, and is titled by it', () => {
  const decisions = globSync('docs/decisions/*.md', { cwd: root })
  const numbers = decisions.map((page) => /\/(\d{4})-/.exec(page)?.[1])
  expect(new Set(numbers).size).toBe(decisions.length)
  for (const [index, page] of decisions.entries())
    expect(read(page)).toMatch(new RegExp(`^# ${numbers[index]} `))
})

test('every attack in docs/security.md names a test that exists', () => {
  const [, table = ''] = read('docs/security.md').split('## Attacks, and the test that covers each')
  const rows = table.split('\n').filter((line) => /^\| [^-]/.test(line) && !line.startsWith('| Attack |'))
  expect(rows.length).toBeGreaterThan(15)
  for (const row of rows) {
    const tests = [...row.matchAll(/`(\S+\.test\.ts)`/g)].map(([, path = '']) => path)
    expect(tests, row).not.toEqual([])
    expect(
      tests.filter((path) => !existsSync(join(root, path))),
      row,
    ).toEqual([])
  }
})

test('pages name only commands that there are', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const page of pages) {
    const named = [...read(page).matchAll(/npm run ([a-z][a-z0-9:-]*)\b(?! -w)/g)].map(
      ([, name]) => name ?? '',
    )
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  }
})
