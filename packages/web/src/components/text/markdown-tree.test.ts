import { expect, test } from 'vitest'
import { markdownTree } from './markdown-tree.ts'
import { safeUrl } from './safe-url.ts'

test('HTML is a piece of text of its own', () => {
  const tree = markdownTree('Hello <img src=x onerror=alert(1)>')
  const [paragraph] = tree?.children ?? []
  expect(paragraph).toMatchObject({ children: [{ type: 'text' }, { type: 'html' }] })
})

test('links lead to the web or to a mailbox', () => {
  expect(safeUrl('https://example.com/a?b')).toBe('https://example.com/a?b')
  expect(safeUrl('mailto:ada@example.com')).toBe('mailto:ada@example.com')
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '/jobs',
    'vbscript:x',
    'x',
  ]) {
    expect(safeUrl(url)).toBeUndefined()
  }
})

test('what is nested without end is not read', () => {
  expect(markdownTree(`${'>'.repeat(5000)}a`)).toBeUndefined()
  expect(markdownTree(`Text\n${'- '.repeat(1600)}a`)).toBeUndefined()
  expect(markdownTree('- a\n  - b\n    > c')).toBeDefined()
  expect(markdownTree('1. one\n2. two')).toBeDefined()
})

test('tables and struck words are read, and nothing says where it stood', () => {
  const tree = markdownTree('| a | b |\n|---|---|\n| 1 | ~~2~~ |')
  expect(tree).toMatchObject({
    children: [{ type: 'table', children: [{ type: 'tableRow' }, { type: 'tableRow' }] }],
  })
  expect(JSON.stringify(tree)).toContain('"type":"delete"')
  expect(JSON.stringify(tree)).not.toContain('position')
})

test('a text of too many parts is not drawn', () => {
  expect(markdownTree('a\n\n'.repeat(5_001))).toBeUndefined()
  expect(markdownTree('a\n\n'.repeat(1_000))).toBeDefined()
})
