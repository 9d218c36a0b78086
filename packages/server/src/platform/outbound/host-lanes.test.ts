import { expect, test } from 'vitest'
import { createHostLanes, LANES_PER_HOST } from './host-lanes.ts'

const URL_OF_HOST = 'https://agents.example.com/'

test('one owner takes half the lanes of a host, and others still find one', () => {
  const { enter } = createHostLanes()
  const takeAll = (ownerId: string) =>
    Array.from({ length: LANES_PER_HOST }, () => enter(URL_OF_HOST, ownerId)).filter(
      (leave) => leave !== undefined,
    )
  const first = takeAll('first')
  expect(first).toHaveLength(LANES_PER_HOST / 2)
  const [second, third] = [takeAll('second'), takeAll('third')]
  expect([second.length, third.length]).toEqual([2, 1])
  expect(enter('https://other.example.com/', 'first')).toBeDefined()

  const fourth = enter(URL_OF_HOST, 'fourth')
  expect(fourth).toBeDefined()
  expect(enter(URL_OF_HOST, 'fifth')).toBeUndefined()
  for (const leave of [...first, ...second, ...third, fourth]) leave?.()
  expect(takeAll('fifth')).toHaveLength(LANES_PER_HOST / 2)
})
