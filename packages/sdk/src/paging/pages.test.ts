import { expect, test } from 'vitest'
import { collect } from '../testing/collect.ts'
import { byCursor, byOffset } from './pages.ts'

const all = [1, 2, 3, 4, 5, 6, 7]

function cursorPages() {
  const asked: (string | undefined)[] = []
  const read = async (cursor: string | undefined) => {
    asked.push(cursor)
    const start = Number(cursor ?? 0)
    return {
      items: all.slice(start, start + 3),
      nextCursor: start + 3 < all.length ? String(start + 3) : null,
    }
  }
  return { asked, read }
}

test('every page is read by cursor, from the start or from the middle', async () => {
  const { asked, read } = cursorPages()
  expect(await collect(byCursor(undefined, read))).toEqual(all)
  expect(asked).toEqual([undefined, '3', '6'])
  expect(await collect(byCursor('3', read))).toEqual([4, 5, 6, 7])
})

test('leaving the loop ends the asking', async () => {
  const { asked, read } = cursorPages()
  for await (const item of byCursor(undefined, read)) if (item === 2) break
  expect(asked).toEqual([undefined])
})

test('every page is read by offset, also when the list shrinks meanwhile', async () => {
  const asked: number[] = []
  const read = (total: number) => async (offset: number) => {
    asked.push(offset)
    return { items: all.slice(offset, offset + 3), total }
  }
  expect(await collect(byOffset(undefined, read(7)))).toEqual(all)
  expect(asked).toEqual([0, 3, 6])
  expect(await collect(byOffset(5, read(7)))).toEqual([6, 7])
  expect(await collect(byOffset(0, read(100)))).toEqual(all)
})
