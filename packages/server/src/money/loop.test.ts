import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createLoop } from './loop.ts'

const log = pino({ level: 'silent' })
const HOUR_MS = 3_600_000

test('a loop goes round while there is work, sleeps, and is woken, also in the middle of a turn', async () => {
  const turns: number[] = []
  const { promise: thirdTurn, resolve } = Promise.withResolvers<void>()
  const loop = createLoop({
    name: 'test',
    pollMs: HOUR_MS,
    log,
    onStuck: () => {},
    turn: async () => {
      turns.push(turns.length)
      if (turns.length === 2) loop.wake()
      if (turns.length === 3) resolve()
      return turns.length === 1
    },
  })
  loop.start()
  await thirdTurn
  await loop.stop()
  expect(turns).toHaveLength(3)
})

test('failures do not end it; ten in a row are reported once', async () => {
  let told = 0
  let turns = 0
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const loop = createLoop({
    name: 'test',
    pollMs: 0,
    log,
    onStuck: () => {
      told += 1
    },
    turn: async () => {
      turns += 1
      if (turns === 15) resolve()
      throw new Error('no')
    },
  })
  loop.start()
  await done
  await loop.stop()
  expect(told).toBe(1)
})
