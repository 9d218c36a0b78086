import { expect, test } from 'vitest'
import type { Core } from './core.ts'
import { later } from './later.ts'

const core = {} as Core

test('calls the action with everything it was given, once it is loaded', async () => {
  const action = later(async () => async (given: Core, job: string, options?: { note: string }) => {
    return { isSame: given === core, job, options }
  })
  expect(await action(core, 'job1', { note: 'x' })).toEqual({
    isSame: true,
    job: 'job1',
    options: { note: 'x' },
  })
})

test('what the action throws comes through as it is', async () => {
  const error = new Error('rejected by the wallet')
  const action = later(async () => async () => {
    throw error
  })
  await expect(action(core)).rejects.toBe(error)
})

test('code that cannot be loaded is a network error, and the next call tries again', async () => {
  let attempts = 0
  const action = later(async () => {
    attempts += 1
    if (attempts === 1) throw new TypeError('Failed to fetch dynamically imported module')
    return async () => 'paid'
  })
  await expect(action(core)).rejects.toMatchObject({ code: 'NETWORK_ERROR', status: 0, retryable: true })
  expect(await action(core)).toBe('paid')
})
