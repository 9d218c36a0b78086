import { expect, test } from 'vitest'
import { createPages } from './line-pages.ts'

function createTestPages() {
  const written: string[] = []
  let flushes = 0
  let syncs = 0
  const pages = createPages({
    write: (page) => void written.push(page.toString()),
    flush: () => {
      flushes += 1
    },
    flushSync: () => {
      syncs += 1
    },
  })
  return { pages, written, flushes: () => flushes, syncs: () => syncs }
}

test('lines wait for a full page, and come whole and in order', () => {
  const { pages, written, flushes } = createTestPages()
  const lines = Array.from({ length: 5_000 }, (_, index) => `${index} é ${'x'.repeat(index % 90)} 🙂\n`)
  for (const line of lines) pages.write(line)
  expect(written.length).toBeGreaterThan(1)
  expect(written.every((page) => page.endsWith('\n'))).toBe(true)
  pages.flush()
  expect(written.join('')).toBe(lines.join(''))
  pages.flush()
  expect(written.at(-1)).not.toBe('')
  expect(flushes()).toBe(1)
})

test('a line that is longer than a page goes by itself, after those before it', () => {
  const { pages, written } = createTestPages()
  const long = `${'é'.repeat(100_000)}\n`
  pages.write('before\n')
  pages.write(long)
  pages.write('after\n')
  pages.flush()
  expect(written).toEqual(['before\n', long, 'after\n'])
})

test('a page that was handed over is not written on again', () => {
  const pages: Buffer[] = []
  const { write, flush } = createPages({
    write: (page) => pages.push(Buffer.from(page)) > 0 && pages.push(page) > 0,
    flush: () => {},
    flushSync: () => {},
  })
  write('one\n')
  flush()
  write('two\n')
  flush()
  expect(pages[1]?.equals(pages[0] ?? Buffer.of())).toBe(true)
})

test('a synchronous flush hands over first, and leaves nothing for the next flush', () => {
  const { pages, written, flushes, syncs } = createTestPages()
  pages.write('last words\n')
  pages.flushSync()
  expect([written, syncs()]).toEqual([['last words\n'], 1])
  // The file may be closed by now: a flush of nothing must not touch it.
  pages.flush()
  expect(flushes()).toBe(0)
})
