import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const pages = globSync('{*.md,packages/*/README.md,docs/**/*.md}', { cwd: root })
const read = (page: string): string => readFileSync(join(root, page), 'utf8')

const repositoryRooms = ['packages', 'docs', 'scripts', 'e2e', 'bench', 'examples']
const codeBlock = /^```.*?^```$/gms
const codeSpan = /`([^`\n]+)`/g
const link = /\]\(([^)\s]+)\)/g
const elsewhere = /^[a-z]+:/
const heading = /^#{1,6} (.+)$/gm
const namedAnchor = /<a id="([^"]+)">/g

const withoutCode = (markdown: string): string => markdown.replace(codeBlock, '')

/** Paths that begin with one of the rooms, named in running text, also as part of a command. */
function pathsIn(markdown: string, rooms: readonly string[]): string[] {
  const path = new RegExp(`(?:^|(?<=\\s))(?:${rooms.join('|')})/[\\w./*-]*`, 'g')
  const spans = [...withoutCode(markdown).matchAll(codeSpan)].map(([, code]) => code ?? '')
  return spans.flatMap((code) => code.match(path) ?? [])
}

function linksIn(markdown: string): string[] {
  const targets = [...withoutCode(markdown).matchAll(link)].map(([, target]) => target ?? '')
  return targets.filter((target) => !elsewhere.test(target))
}

/** Where a link into a page can lead: the name of each heading, as GitHub makes it, and anchors that the page names. */
function anchorsIn(markdown: string): string[] {
  const text = withoutCode(markdown)
  const headings = [...text.matchAll(heading)].map(([, title = '']) =>
    title
      .replace(link, ']')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\s-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...headings, ...[...text.matchAll(namedAnchor)].map(([, name]) => name ?? '')]
}

/** The paths of a package's README begin in the repository, in the package, or in its sources. */
function missingPaths(page: string): string[] {
  const folder = dirname(page)
  const sources = join(folder, 'src')
  const isOfPackage = folder.startsWith('packages')
  const rooms = isOfPackage ? ['src', ...globSync('*/', { cwd: join(root, sources) })] : []
  const bases = isOfPackage ? ['', folder, sources] : ['']
  return pathsIn(read(page), [...repositoryRooms, ...rooms]).filter((path) =>
    bases.every((base) => globSync(path, { cwd: join(root, base) }).length === 0),
  )
}

function isBroken(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, file))) return true
  return anchor !== undefined && !anchorsIn(read(file)).includes(anchor)
}

test('paths, links and anchors are found where they are written', () => {
  const markdown =
    '## The `c`: **how**\n<a id="old"></a>See `packages/a.ts`, `node docs/b.ts now` and [c](../c.md#top), not [d](https://d.example).'
  expect(pathsIn(markdown, repositoryRooms)).toEqual(['packages/a.ts', 'docs/b.ts'])
  expect(linksIn(markdown)).toEqual(['../c.md#top'])
  expect(anchorsIn(markdown)).toEqual(['the-c-how', 'old'])
})

test.each([
  ['an anchor of the page', '#paths', true],
  ['an anchor of another page', 'docs/glossary.md#paths', true],
  ['a heading of another page', 'docs/glossary.md#glossary', false],
  ['a file', 'docs/nowhere.md', true],
])('%s that is linked is looked for', (_what, target, isMissing) => {
  expect(isBroken('README.md', target)).toBe(isMissing)
})

describe.each(pages)('%s', (page) => {
  test('names only files that exist', () => {
    expect(missingPaths(page)).toEqual([])
  })

  test('links only to files and headings that exist', () => {
    expect(linksIn(read(page)).filter((target) => isBroken(page, target))).toEqual([])
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
