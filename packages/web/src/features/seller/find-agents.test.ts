import type { OwnAgent } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { findAgents, parseAgentOrder } from './find-agents.ts'

const agent = (
  name: string,
  category: string,
  [averageRating, totalJobs, hourlyRateUsdc]: [number, number, string],
) => ({ name, category, walletAddress: `0x${name}`, averageRating, totalJobs, hourlyRateUsdc }) as OwnAgent

const agents = [
  agent('Wren', 'writing', [4.5, 2, '5000000']),
  agent('Lark', 'finance', [4.9, 1, '150000000']),
  agent('Auk', 'finance', [0, 7, '20000000']),
]
const names = (q: string, order: Parameters<typeof findAgents>[2]) =>
  findAgents(agents, q, order).map(({ name }) => name)

test.each([
  ['oldest', ['Wren', 'Lark', 'Auk']],
  ['newest', ['Auk', 'Lark', 'Wren']],
  ['name', ['Auk', 'Lark', 'Wren']],
  ['rating', ['Lark', 'Wren', 'Auk']],
  ['jobs', ['Auk', 'Wren', 'Lark']],
  ['price', ['Lark', 'Auk', 'Wren']],
] as const)('by %s', (order, expected) => {
  expect(names('', order)).toEqual(expected)
})

test('every word must be there', () => {
  expect(names('FINANCE', 'oldest')).toEqual(['Lark', 'Auk'])
  expect(names('finance auk', 'oldest')).toEqual(['Auk'])
  expect(names('0xwren', 'oldest')).toEqual(['Wren'])
  expect(names('nobody', 'oldest')).toEqual([])
})

test('an unknown order is the usual one', () => {
  expect(parseAgentOrder('dearest')).toBe('oldest')
  expect(parseAgentOrder('toString')).toBe('oldest')
  expect(parseAgentOrder('price')).toBe('price')
})
