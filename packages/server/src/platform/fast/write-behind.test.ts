import { expect, test } from 'vitest'
import { createWriteBehind, type WriteBehindOptions } from './write-behind.ts'

/** A place to write to, which can be away, or write and then fail to say so. */
function createPlace() {
  const batches: string[][] = []
  const failures: unknown[] = []
  const place = { mood: 'well' as 'well' | 'away' | 'silent', batches, failures }
  const options: WriteBehindOptions<string> = {
    async write(items) {
      if (place.mood === 'away') throw new Error('away')
      batches.push([...items])
      if (place.mood === 'silent') throw new Error('unknown outcome')
    },
    onFailure: (error) => failures.push(error),
    batchLimit: 3,
    queueLimit: 4,
    delayMs: 3_600_000,
  }
  return { place, options }
}

const addAll = (behind: { add(item: string): void }, ...items: string[]) => items.forEach(behind.add)

test('items are written in order, in batches, when they are flushed', async () => {
  const { place, options } = createPlace()
  const behind = createWriteBehind({ ...options, queueLimit: 100 })
  addAll(behind, 'a', 'b', 'c', 'd')
  expect(place.batches).toEqual([])
  await behind.flush()
  expect(place.batches).toEqual([['a', 'b', 'c'], ['d']])
  await behind.close()
})

test('the first item starts the time after which all are written', async () => {
  const { place, options } = createPlace()
  const behind = createWriteBehind({ ...options, delayMs: 1 })
  addAll(behind, 'a', 'b')
  await expect.poll(() => place.batches).toEqual([['a', 'b']])
  behind.add('c')
  await expect.poll(() => place.batches).toEqual([['a', 'b'], ['c']])
  await behind.close()
})

test('a flush covers what came while another one was writing', async () => {
  const { place, options } = createPlace()
  const behind = createWriteBehind(options)
  behind.add('a')
  const first = behind.flush()
  behind.add('b')
  await behind.flush()
  expect(place.batches).toEqual([['a'], ['b']])
  await first
  await behind.close()
})

test('what could not be written is tried again, reported once, and the oldest go first when it is too much', async () => {
  const { place, options } = createPlace()
  const behind = createWriteBehind(options)
  place.mood = 'away'
  addAll(behind, 'a', 'b')
  await expect(behind.flush()).rejects.toThrow('away')
  addAll(behind, 'c', 'd', 'e', 'f')
  await expect(behind.flush()).rejects.toThrow('away')
  expect(place.failures).toHaveLength(1)
  expect(behind.droppedCount()).toBe(2)
  place.mood = 'well'
  await behind.flush()
  expect(place.batches).toEqual([['c', 'd', 'e'], ['f']])
  await behind.close()
})

test('the same items are given again where nobody knows whether they were written', async () => {
  const { place, options } = createPlace()
  const behind = createWriteBehind(options)
  place.mood = 'silent'
  behind.add('a')
  await expect(behind.flush()).rejects.toThrow('unknown outcome')
  place.mood = 'well'
  await behind.flush()
  expect(place.batches).toEqual([['a'], ['a']])
  await behind.close()
})

test('what waits is written when it closes, and counted as dropped where that fails', async () => {
  const { place, options } = createPlace()
  const behind = createWriteBehind(options)
  behind.add('a')
  await behind.close()
  expect(place.batches).toEqual([['a']])

  const lost = createWriteBehind(options)
  place.mood = 'away'
  addAll(lost, 'b', 'c')
  await lost.close()
  expect(lost.droppedCount()).toBe(2)
})
