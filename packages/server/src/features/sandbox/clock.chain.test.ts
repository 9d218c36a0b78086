import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { countReleases, startTimeTravellers, type TimeTravellers } from './testing/time-travellers.ts'

/** Scripts that never wait: each step is taken as soon as the one before has its response. */

const DAY = 24 * 3600

// Months of market life pass in some of these.
vi.setConfig({ testTimeout: 240_000 })

let travellers: TimeTravellers
beforeAll(async () => {
  travellers = await startTimeTravellers()
})
afterAll(() => travellers.close())

test('work that was delivered is released seven days later, every time', async () => {
  expect(await countReleases(travellers, 3)).toBe(3)
})

test('a dispute that was opened ends thirty days later, every time', async () => {
  const { act, advance, jobOf, seller, buyer } = travellers
  for (let round = 0; round < 2; round += 1) {
    const jobId = await travellers.fundedJob()
    await act(seller, jobId, 'deliver', { content: 'Done.' })
    await act(buyer, jobId, 'dispute', { reason: 'Half of it.' })
    await advance(30 * DAY)
    expect(await jobOf(jobId)).toMatchObject({ status: 'CANCELLED', escrowState: 'EXPIRED' })
  }
})

test('everything between now and then happens at its own time, in the order of due times', async () => {
  const { act, advance, jobOf, seller } = travellers
  const [late, early] = [
    await travellers.fundedJob({ deadlineHours: 20 * 24 }),
    await travellers.fundedJob({ deadlineHours: 24 }),
  ]
  const delivered = await travellers.fundedJob()
  await act(seller, delivered, 'deliver', { content: 'Done.' })
  const startMs = Date.parse((await advance(1)).now)
  await advance(30 * DAY)
  const timeOf = async (jobId: string, type: string): Promise<number> => {
    const { timeline } = await jobOf(jobId)
    const event = timeline.find((one: { type: string }) => one.type === type)
    return (Date.parse(event.createdAt) - startMs) / 1000
  }
  const times = [
    await timeOf(early, 'DEADLINE_MISSED'),
    await timeOf(delivered, 'ESCROW_RELEASED'),
    await timeOf(late, 'DEADLINE_MISSED'),
  ]
  // A minute for what the machine needs; the clock itself stops at each due time.
  for (const [index, due] of [DAY, 7 * DAY, 20 * DAY].entries()) {
    expect(Math.abs((times[index] ?? 0) - due)).toBeLessThan(60)
  }
})

test('two travellers at once move the clock by the sum', async () => {
  const before = Date.parse((await travellers.advance(1)).now)
  await Promise.all([travellers.advance(DAY), travellers.advance(DAY)])
  const after = Date.parse((await travellers.advance(1)).now)
  expect(after - before).toBeGreaterThanOrEqual(2 * DAY * 1000)
})
