import { expect, test } from 'vitest'
import { createDueWork } from './due-work.ts'

const PAGE = 2

/** In the order of their numbers. */
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${1_000 + index}`)

/** Things that are due until they are dealt with, in the order of their ids. Those that are broken stay due. */
function due(ids: string[]) {
  const left = new Set(ids)
  const broken = new Set<string>()
  const seconds = new Map<string, number>()
  let nowMs = 0
  let worked: string[] = []
  let stopping = new AbortController()
  let stopAt: string | undefined
  const run = createDueWork<{ id: string }>({
    nowMs: () => nowMs,
    list: async (after) =>
      [...left]
        .filter((id) => after === undefined || id > after.id)
        .slice(0, PAGE)
        .map((id) => ({ id })),
    async work({ id }) {
      worked.push(id)
      nowMs += (seconds.get(id) ?? 0) * 1000
      if (id === stopAt) stopping.abort()
      if (broken.has(id)) throw new Error('broken')
      left.delete(id)
    },
  })
  return {
    left,
    broken,
    /** What each takes; the others take no time. */
    seconds,
    /** One turn; returns what was worked on, and how it failed. */
    async turn(end?: string) {
      ;[worked, stopping, stopAt] = [[], new AbortController(), end]
      const failure = await run(undefined, stopping.signal).then(
        () => undefined,
        (error: Error) => error.message,
      )
      return { worked, failure }
    },
  }
}

test('a page of rows that stay due does not hold up those after it', async () => {
  const { left, broken, turn } = due(['a', 'b', 'c', 'd', 'e'])
  for (const id of ['a', 'b', 'd']) broken.add(id)
  expect(await turn()).toEqual({
    worked: ['a', 'b', 'c', 'd', 'e'],
    failure: '3 that are due could not be dealt with',
  })
  expect([...left]).toEqual(['a', 'b', 'd'])
  broken.clear()
  expect(await turn()).toEqual({ worked: ['a', 'b', 'd'], failure: undefined })
})

test('a turn that ended early is continued, and the next one gets to what was passed over', async () => {
  const { left, broken, turn } = due(['a', 'b', 'c', 'd'])
  for (const id of ['a', 'b']) broken.add(id)
  expect((await turn('b')).worked).toEqual(['a', 'b'])
  broken.delete('a')
  expect(await turn()).toEqual({ worked: ['d', 'c', 'a', 'b'], failure: 'b could not be dealt with' })
  expect([...left]).toEqual(['b'])
})

test('a turn has limited time, and the next one begins with what was left', async () => {
  const { seconds, turn } = due(['a', 'b', 'c', 'd', 'e'])
  for (const id of ['a', 'b', 'c', 'd']) seconds.set(id, 11)
  expect((await turn()).worked).toEqual(['a', 'b'])
  expect((await turn()).worked).toEqual(['c', 'd'])
  expect((await turn()).worked).toEqual(['e'])
})

test('what takes long and fails is tried after what has just fallen due', async () => {
  const slow = numbered(200)
  const { left, broken, seconds, turn } = due(slow)
  for (const id of slow) {
    broken.add(id)
    seconds.set(id, 10)
  }
  for (let number = 1; number <= 100; number += 1) await turn()
  for (let number = 1; number <= 200; number += 1) {
    left.add('fresh')
    const { worked } = await turn()
    expect(worked[0]).toBe('fresh')
    expect(worked.length).toBeLessThanOrEqual(3)
  }
})

test('of many that take long and fail, each is tried again and again', async () => {
  const slow = numbered(300)
  const { left, broken, seconds, turn } = due(slow)
  for (const id of slow) {
    broken.add(id)
    seconds.set(id, 10)
  }
  for (let number = 1; number <= 1_000; number += 1) await turn()
  broken.clear()
  for (let number = 1; number <= 400; number += 1) await turn()
  expect([...left]).toEqual([])
})

test('very many that fail are tried less and less often, too', async () => {
  const many = numbered(900)
  const { broken, seconds, turn } = due(many)
  for (const id of many) {
    broken.add(id)
    // A turn has time for a third of them.
    seconds.set(id, 20 / 300)
  }
  let tried = 0
  for (let number = 1; number <= 40; number += 1) tried += (await turn()).worked.length
  // In the turns 1, 2, 4, 8, 16 and 32 of each.
  expect(tried).toBeLessThanOrEqual(6 * many.length)
})

test('what fails again and again is tried less and less often, and the log shows it as often', async () => {
  const { broken, turn } = due(['a'])
  broken.add('a')
  const tried: number[] = []
  for (let number = 1; number <= 300; number += 1) {
    const { worked, failure } = await turn()
    expect(failure !== undefined).toBe(worked.length > 0)
    if (worked.length > 0) tried.push(number)
  }
  expect(tried).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 192, 256])
})

test('what was dealt with elsewhere, and fails again much later, is tried again soon', async () => {
  const { left, broken, turn } = due(['a'])
  broken.add('a')
  for (let number = 1; number <= 8; number += 1) await turn()
  left.delete('a')
  for (let number = 9; number <= 1_020; number += 1) await turn()
  left.add('a')
  expect((await turn()).worked).toEqual(['a'])
  expect((await turn()).worked).toEqual(['a'])
})
