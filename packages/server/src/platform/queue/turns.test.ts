import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('at most so many run at a time, in the order in which they came, and a failure frees its turn', async () => {
  const inTurn = createTurns(2)
  const started: number[] = []
  const ends: ((fails: boolean) => void)[] = []
  const works = [0, 1, 2, 3].map((index) =>
    inTurn(() => {
      started.push(index)
      return new Promise<void>((resolve, reject) =>
        ends.push((fails) => (fails ? reject(new Error('failed')) : resolve())),
      )
    }),
  )
  expect(started).toEqual([0, 1])
  ends[1]?.(true)
  await expect(works[1]).rejects.toThrow('failed')
  expect(started).toEqual([0, 1, 2])
  ends[0]?.(false)
  await works[0]
  expect(started).toEqual([0, 1, 2, 3])
  for (const end of ends) end(false)
  await Promise.all([works[2], works[3]])
})
