import { describe, expect, test } from 'vitest'
import { makeContents } from './markdown-contents.ts'
import { MOST_RESULT_BYTES, sizeOf } from './testing/size-of.ts'

test('a nested list of links, down to the level that is requested', () => {
  const markdown = '# One\n\n## Two ##\n\n#### Four\n\n### Three\n\n## Two\n'
  expect(makeContents({ markdown })).toEqual({
    contents: '- [One](#one)\n  - [Two](#two)\n    - [Three](#three)\n  - [Two](#two-1)\n',
    headings: 4,
    headingsLeftOut: 0,
  })
  expect(makeContents({ markdown, maxLevel: 1 }).contents).toBe('- [One](#one)\n')
  expect(makeContents({ markdown, maxLevel: 6 }).headings).toBe(5)
})

test('underlined headings, of several lines too; rules, lists and tables are none', () => {
  const markdown = 'Title\n=====\n\nA second\nline\n---\n\n---\n\n- item\n---\n\n| a |\n---\n\n> quote\n---\n'
  expect(makeContents({ markdown }).contents).toBe('- [Title](#title)\n  - [A second line](#a-second-line)\n')
})

test('what looks like a heading in front matter, code and comments is none', () => {
  const markdown = [
    '---\ntitle: x\n# no\n---',
    '# Yes',
    '```sh\n# no\n~~~\n# no\n```',
    '~~~~\n```\n# no\n~~~\n# no\n~~~~',
    '    # no',
    '<!-- a\n# no\n-->',
    '#no',
    '####### no',
    '## Also',
  ].join('\n\n')
  expect(makeContents({ markdown }).contents).toBe('- [Yes](#yes)\n  - [Also](#also)\n')
})

test('titles are words, and their anchors as GitHub makes them', () => {
  const markdown =
    '# The `npm` *start* [link](https://a.example) ![pic](x.png)\n# A & B: <b>c</b>\n# Größe 2½ \\# 語_x\n# a-1\n# a\n# a\n'
  expect(makeContents({ markdown }).contents.split('\n')).toEqual([
    '- [The npm start link pic](#the-npm-start-link-pic)',
    '- [A & B: \\<b\\>c\\</b\\>](#a--b-bcb)',
    '- [Größe 2½ # 語_x](#größe-2½--語_x)',
    '- [a-1](#a-1)',
    '- [a](#a)',
    '- [a](#a-2)',
    '',
  ])
})

test('every line end is one', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    expect(makeContents({ markdown: `# A${end}text${end}B${end}===${end}` }).contents).toContain('- [A](#a)')
  }
})

describe('hostile pages', () => {
  const many = 60_000
  test.each([
    ['headings alone', '# a\n'.repeat(many / 4)],
    ['empty headings', '#\n'.repeat(many / 2)],
    ['one long title', `# ${'x'.repeat(many)}`],
    ['open brackets', `# ${'['.repeat(many)}`],
    ['open brackets in many titles', `# ${'!['.repeat(140)}\n`.repeat(200)],
    ['hashes', '#'.repeat(many)],
    ['a heading of hashes', `# ${'# '.repeat(many / 2)}`],
    ['spaces', `# ${' '.repeat(many)}x${' '.repeat(100)}`],
    ['a paragraph without end', `${'a\n'.repeat(many / 2)}===`],
    ['underlines', '=\n'.repeat(many / 2)],
    ['fences', '```\n'.repeat(many / 4)],
    ['backslashes', `# ${'\\'.repeat(many)}`],
    ['half characters', '# \ud800\n'.repeat(many / 4)],
    ['letters of three bytes', `# ${'語'.repeat(200)}\n`.repeat(290)],
    ['control characters', '# \u0000\u001b\n'.repeat(many / 5)],
  ])('%s', (_name, markdown) => {
    const result = makeContents({ markdown, maxLevel: 6 })
    expect(sizeOf(result)).toBeLessThan(MOST_RESULT_BYTES)
    expect(result.contents.isWellFormed()).toBe(true)
    expect(result.contents.split('\n')).toHaveLength(result.headings + 1)
  })

  test('says how many it left out', () => {
    const { headings, headingsLeftOut } = makeContents({ markdown: '# a\n'.repeat(15_000) })
    expect(headings).toBeGreaterThan(1_000)
    expect(headings + headingsLeftOut).toBe(15_000)
  })
})
