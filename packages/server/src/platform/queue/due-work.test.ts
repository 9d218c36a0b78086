import { expect, test } from 'vitest'
import { createDueWork } from './due-work.ts'

const PAGE = 2

/** Things that are due until they are dealt with, in the order of their ids. Those that are broken stay due. */
function due(ids: string[], rowsInATurn = 100) {
  const left = new Set(ids)
  const broken = new Set<string>()
  let worked: string[] = []
  let stopping = new AbortController()
  let stopAt: string | undefined
  const run = createDueWork<{ id: string }>({
    rowsInATurn,
    list: async (after) =>
      [...left]
        .filter((id) => after === undefined || id > after.id)
        .slice(0, PAGE)
        .map((id) => ({ id })),
    async work({ id }) {
      worked.push(id)
      if (id === stopAt) stopping.abort()
      if (broken.has(id)) throw new Error('broken')
      left.delete(id)
    },
  })
  return {
    left,
    broken,
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

test('a page of those that stay due keeps nothing behind it waiting', async () => {
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

test('a turn that ended early is continued, and the next comes to what it passed over', async () => {
  const { left, broken, turn } = due(['a', 'b', 'c', 'd'])
  for (const id of ['a', 'b']) broken.add(id)
  expect((await turn('b')).worked).toEqual(['a', 'b'])
  broken.delete('a')
  expect(await turn()).toEqual({ worked: ['d', 'a', 'b', 'c'], failure: 'b could not be dealt with' })
  expect([...left]).toEqual(['b'])
})

test('a turn has so many, and those behind them are the first of the next', async () => {
  const { broken, turn } = due(['a', 'b', 'c', 'd', 'e'], 2)
  for (const id of ['a', 'b', 'c']) broken.add(id)
  expect((await turn()).worked).toEqual(['a', 'b'])
  expect((await turn()).worked).toEqual(['c', 'd'])
  expect((await turn()).worked).toEqual(['e', 'a'])
  expect((await turn()).worked).toEqual(['b', 'c'])
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

test('what was dealt with meanwhile, and fails much later, is tried soon again', async () => {
  const { left, broken, turn } = due(['a'])
  broken.add('a')
  for (let number = 1; number <= 8; number += 1) await turn()
  left.delete('a')
  for (let number = 9; number <= 20; number += 1) await turn()
  left.add('a')
  expect((await turn()).worked).toEqual(['a'])
  expect((await turn()).worked).toEqual(['a'])
})
