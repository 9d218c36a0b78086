import { expect, test } from 'vitest'
import { createOverload } from './overload.ts'

/** A service that does so many requests a second, in the order in which they came. */
function createService(can: number) {
  let perSecond = can
  let done = 0
  let nowMs = 0
  const overload = createOverload({ nowMs: () => nowMs })
  const waiting: { leave: () => void; sinceMs: number }[] = []
  let refused = 0
  const STEP_MS = 10
  return {
    overload,
    waiting,
    refused: () => refused,
    pass: (ms: number) => {
      nowMs += ms
    },
    setSpeed: (can: number) => {
      perSecond = can
    },
    enter(method = 'GET'): boolean {
      const leave = overload.enter(method)
      if (leave) waiting.push({ leave, sinceMs: nowMs })
      else refused += 1
      return leave !== undefined
    },
    /** So many come in each second. Returns how many were let in, and the longest wait of those that were done. */
    run(arrivalsPerSecond: number, seconds: number) {
      const result = { letIn: 0, longestMs: 0 }
      let arrived = 0
      for (let step = 0; step < (seconds * 1_000) / STEP_MS; step += 1) {
        nowMs += STEP_MS
        done += (perSecond * STEP_MS) / 1_000
        const ended = waiting.splice(0, Math.floor(done))
        done %= 1
        for (const { leave, sinceMs } of ended) {
          leave()
          result.longestMs = Math.max(result.longestMs, nowMs - sinceMs)
        }
        arrived += (arrivalsPerSecond * STEP_MS) / 1_000
        for (; arrived >= 1; arrived -= 1) if (this.enter()) result.letIn += 1
      }
      return result
    },
  }
}

test('a burst is worked through', () => {
  const service = createService(1_000)
  for (let came = 0; came < 200; came += 1) expect(service.enter()).toBe(true)
  service.run(400, 3)
  expect(service.refused()).toBe(0)
})

test.each([1_000, 5_000])(
  'at five times what it can do, %i a second, it does what it can, and quickly',
  (can) => {
    const service = createService(can)
    service.run(can * 5, 5)
    const { letIn, longestMs } = service.run(can * 5, 10)
    expect(letIn).toBeGreaterThan(can * 10 * 0.99)
    expect(letIn).toBeLessThan(can * 10 * 1.01)
    expect(longestMs).toBeLessThan(350)
  },
)

test.each([50, 100])('one that can do only %i a second keeps what it lets in quick, too', (can) => {
  const service = createService(can)
  service.run(can * 5, 5)
  const { letIn, longestMs } = service.run(can * 5, 20)
  expect(letIn).toBeGreaterThan(can * 20 * 0.95)
  expect(longestMs).toBeLessThan(500)
})

test('one that becomes slow lets in what it then can, and recovers', () => {
  const service = createService(1_000)
  service.run(900, 5)
  service.setSpeed(50)
  service.run(900, 10)
  expect(service.run(900, 10).longestMs).toBeLessThan(500)
  service.setSpeed(1_000)
  service.run(900, 5)
  const before = service.refused()
  service.run(900, 5)
  expect(service.refused()).toBe(before)
})

test('it ends at once: what can be done is let in again', () => {
  const service = createService(1_000)
  service.run(5_000, 5)
  service.run(500, 1)
  const before = service.refused()
  expect(service.run(900, 5).longestMs).toBeLessThan(50)
  expect(service.refused()).toBe(before)
})

test('what waits for something else takes no room', () => {
  const service = createService(1_000)
  for (let came = 0; came < 99; came += 1) expect(service.enter()).toBe(true)
  service.waiting.splice(0)
  service.pass(5_000)
  for (let came = 0; came < 99; came += 1) expect(service.enter()).toBe(true)
  service.pass(600)
  expect(service.enter()).toBe(true)
})

test('reads that fill every place leave writes theirs, and the other way round', () => {
  const atOnce = { GET: 200, POST: 100 }
  for (const [many, few] of [
    ['GET', 'POST'],
    ['POST', 'GET'],
  ] as const) {
    const { overload } = createService(1_000)
    let letIn = 0
    while (overload.enter(many)) letIn += 1
    expect(letIn).toBe(atOnce[many])
    for (let came = 0; came < atOnce[few]; came += 1) expect(overload.enter(few)).toBeDefined()
  }
})

test('what is far beyond a burst is refused at once', () => {
  const service = createService(1_000)
  for (let came = 0; came < 5_000; came += 1) service.enter()
  expect(service.refused()).toBe(4_800)
})

test('one that goes before anything was done for it makes no room for more', () => {
  const service = createService(1_000)
  for (let came = 0; came < 400; came += 1) {
    service.overload.enter('GET')?.({ isDone: false })
    service.pass(1)
  }
  let letIn = 0
  while (service.overload.enter('GET')) letIn += 1
  expect(letIn).toBe(200)
})
