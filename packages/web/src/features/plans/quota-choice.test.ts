import { expect, test } from 'vitest'
import { firstQuota, leastQuota, readQuota } from './quota-choice.ts'

test('a quota is raised by at least one, and a cancelled one counts for nothing', () => {
  expect(leastQuota(null)).toBe(2)
  expect(leastQuota({ status: 'ACTIVE', agentQuota: 12 })).toBe(13)
  expect(leastQuota({ status: 'CANCELED', agentQuota: 12 })).toBe(2)
  expect([firstQuota(2), firstQuota(13)]).toEqual([10, 13])
})

test('only whole numbers within reach are a quota', () => {
  expect([readQuota('13', 13), readQuota('10000', 2)]).toEqual([13, 10_000])
  for (const typed of ['', '12', '1.5', '10001', '1e3', '-20', '123456']) {
    expect(readQuota(typed, 13), typed).toBeUndefined()
  }
})
