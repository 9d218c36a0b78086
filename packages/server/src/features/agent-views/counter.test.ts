import { expect, test } from 'vitest'
import { createCounter, type ViewCount } from './counter.ts'

function counterOf(limit: number) {
  const written: ViewCount[][] = []
  const failures: unknown[] = []
  let isFailing = false
  const counter = createCounter({
    write: async (counts) => {
      if (isFailing) throw new Error('away')
      written.push([...counts])
    },
    onFailure: (error) => void failures.push(error),
    limit,
    delayMs: 1_000_000,
  })
  return {
    ...counter,
    written,
    failures,
    fail: (value: boolean) => {
      isFailing = value
    },
  }
}

test('many views of an agent are one row', async () => {
  const counter = counterOf(10)
  for (let times = 0; times < 5; times += 1) counter.add('c1', '2026-11-15', 'PROFILE')
  counter.add('c1', '2026-11-15', 'HIRE_FORM')
  counter.add('c1', '2026-11-16', 'PROFILE')
  await counter.flush()
  await counter.flush()
  expect(counter.written).toEqual([
    [
      { agentId: 'c1', day: '2026-11-15', profileViews: 5, hireForms: 1 },
      { agentId: 'c1', day: '2026-11-16', profileViews: 1, hireForms: 0 },
    ],
  ])
})

test('memory is bounded: beyond the limit only agents that are counted already go on', async () => {
  const counter = counterOf(2)
  for (const id of ['c1', 'c2', 'c3', 'c1']) counter.add(id, '2026-11-15', 'PROFILE')
  await counter.flush()
  expect(counter.written[0]?.map(({ agentId, profileViews }) => [agentId, profileViews])).toEqual([
    ['c1', 2],
    ['c2', 1],
  ])
})

test('a failed write is lost, and the next one goes on', async () => {
  const counter = counterOf(2)
  counter.fail(true)
  counter.add('c1', '2026-11-15', 'PROFILE')
  await counter.flush()
  counter.fail(false)
  counter.add('c1', '2026-11-15', 'PROFILE')
  await counter.flush()
  expect(counter.failures).toHaveLength(1)
  expect(counter.written).toEqual([[{ agentId: 'c1', day: '2026-11-15', profileViews: 1, hireForms: 0 }]])
})
