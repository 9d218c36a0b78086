import { expect, test } from 'vitest'
import { createPatience } from './patience.ts'

test('a caller who waits for a test job waits no longer than the service works', async () => {
  const stop = new AbortController()
  const lookUntil = createPatience(stop.signal, 600_000)
  let looks = 0
  const look = async () => {
    looks += 1
    return 'at work'
  }
  const isDone = () => false
  const waiting = lookUntil('begun', isDone, look)
  stop.abort()
  expect([await waiting, looks]).toEqual(['at work', 1])
  expect([await lookUntil('begun', isDone, look), looks]).toEqual(['begun', 1])
})
