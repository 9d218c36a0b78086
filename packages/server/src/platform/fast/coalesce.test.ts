import { expect, test } from 'vitest'
import { createCoalescedLookup } from './coalesce.ts'

/** A lookup whose statements the test completes by hand. */
function createManualLookup(batchLimit?: number) {
  const statements: { keys: string[]; response: () => void; fail: (error: Error) => void }[] = []
  const lookup = createCoalescedLookup<string, string>({
    ...(batchLimit === undefined ? {} : { batchLimit }),
    load: (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
      const found = keys.filter((key) => key !== 'absent')
      statements.push({
        keys,
        response: () => resolve(new Map(found.map((key) => [key, `row ${key}`]))),
        fail: reject,
      })
      return promise
    },
  })
  return { lookup, statements }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a lone read is sent at once', async () => {
  const { lookup, statements } = createManualLookup()
  const row = lookup('a')
  expect(statements.map(({ keys }) => keys)).toEqual([['a']])
  statements[0]?.response()
  expect(await row).toBe('row a')
})

test('reads of one turn share one statement, and equal keys share one row', async () => {
  const { lookup, statements } = createManualLookup()
  const rows = ['a', 'b', 'c', 'b', 'absent'].map(lookup)
  await nextTurn()
  expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c', 'absent']])
  for (const { response } of statements) response()
  expect(await Promise.all(rows)).toEqual(['row a', 'row b', 'row c', 'row b', undefined])
})

test('a read that comes while its key is under way reads again, so that nobody sees a row older than the call', async () => {
  const { lookup, statements } = createManualLookup()
  const first = lookup('a')
  const second = lookup('a')
  await nextTurn()
  expect(statements).toHaveLength(2)
  for (const { response } of statements) response()
  expect(await Promise.all([first, second])).toEqual(['row a', 'row a'])
})

test('at most two statements are under way, and batches are bounded', async () => {
  const { lookup, statements } = createManualLookup(2)
  const rows = ['a', 'b', 'c', 'd', 'e'].map(lookup)
  await nextTurn()
  expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']])
  statements[0]?.response()
  await rows[0]
  await nextTurn()
  expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c'], ['d', 'e']])
  for (const { response } of statements) response()
  expect(await Promise.all(rows)).toHaveLength(5)
})

test('a failed statement fails its own readers only', async () => {
  const { lookup, statements } = createManualLookup()
  const [first, second] = [lookup('a'), lookup('b')]
  await nextTurn()
  statements[0]?.fail(new Error('lost'))
  statements[1]?.response()
  await expect(first).rejects.toThrow('lost')
  expect(await second).toBe('row b')
  const third = lookup('c')
  statements[2]?.response()
  expect(await third).toBe('row c')
})
