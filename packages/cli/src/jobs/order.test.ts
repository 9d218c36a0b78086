import type { AgentDetail } from '@agent-marketplace/sdk'
import { expect, test } from 'vitest'
import { orderFrom, priceInWords, type Wish } from './order.ts'

const service = (id: string, name: string, priceUSDC: string) => ({ id, name, priceUSDC })
const agentWith = (...services: ReturnType<typeof service>[]) =>
  ({ id: 'a1', name: 'Lark', services }) as unknown as AgentDetail
const lark = agentWith(service('s1', 'Proofread', '12500000'), service('s2', 'Reconcile', '150000000'))

test('a service is found by its id or its name, and its price is the agreed one', () => {
  const input = { task: 'All is wel.' }
  const order = {
    agentId: 'a1',
    title: 'Proofread',
    description: 'All is wel.',
    agreedPrice: '12500000',
    serviceId: 's1',
    input,
  }
  expect(orderFrom(lark, { service: 's1', input })).toEqual(order)
  expect(orderFrom(lark, { service: 'proofREAD', input })).toEqual(order)
  expect(orderFrom(lark, { service: 's1', input: { month: '2026-10' } }).description).toBe(
    'Proofread, with the input given.',
  )
})

test('the only service needs no name; a price alone is a custom order', () => {
  const single = agentWith(service('s1', 'Proofread', '12500000'))
  expect(orderFrom(single, { description: 'x' })).toMatchObject({ serviceId: 's1' })
  const custom = orderFrom(lark, { description: 'Something else', price: '20', protect: true })
  expect(custom).toEqual({
    agentId: 'a1',
    title: 'Something else',
    description: 'Something else',
    agreedPrice: '20000000',
    buyerProtection: true,
  })
})

test.each<[Wish, string]>([
  [{ description: 'x' }, 'has several services'],
  [{ service: 'Paint', description: 'x' }, 'has no service “Paint”'],
  [{ service: 's1' }, 'Say what is to be done'],
  [{ service: 's1', description: 'x', price: 'ten' }, '--price takes an amount'],
])('%j is refused: %s', (wish, message) => {
  expect(() => orderFrom(lark, wish)).toThrow(message)
})

test('an agent without services needs a price', () => {
  expect(() => orderFrom(agentWith(), { description: 'x' })).toThrow('needs a --price')
})

test('the price says how it is paid', () => {
  const words = (wish: Wish) => priceInWords(lark, orderFrom(lark, { description: 'x', ...wish }))
  expect(words({ service: 's1' })).toBe('Proofread by Lark: 12.50 USDC by x402, straight to the agent.')
  expect(words({ service: 's1', protect: true })).toContain('12.50 USDC into escrow')
  expect(words({ service: 's2' })).toContain('150.00 USDC into escrow')
})
