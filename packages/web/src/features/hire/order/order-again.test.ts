import type { AgentServiceDetail, JobDetail } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { changesSince, orderAgain } from './order-again.ts'

const service = {
  id: 'score',
  name: 'Site score',
  priceUSDC: '20000000',
  deliveryTime: 24,
  inputRequired: true,
  inputSchema: {
    type: 'object',
    properties: {
      site: { type: 'string', title: 'Site' },
      skip: { type: 'array', items: { type: 'string' } },
      isShop: { type: 'boolean', default: true },
      contact: { type: 'object', properties: { email: { type: 'string' } } },
      limits: { type: 'array', items: { type: 'integer' } },
    },
    required: ['site'],
  },
} as unknown as AgentServiceDetail
const agent = { services: [service], hourlyRateUsdc: '0', customOrders: 'INSTANT' as const }

const jobOf = (more: Partial<JobDetail> = {}) =>
  ({
    id: 'job1',
    title: 'Score our shop',
    description: 'Site: https://shop.example/',
    agreedPrice: '20000000',
    buyerProtection: true,
    serviceId: 'score',
    input: {
      site: 'https://shop.example/',
      skip: ['/a', '/b'],
      contact: { email: 'a@b.example' },
      limits: [1, 2],
    },
    inputSchema: service.inputSchema,
    files: [],
    attachments: [],
    createdAt: '2026-11-15T12:00:00.000Z',
    deadlineAt: '2026-11-17T12:00:00.000Z',
    ...more,
  }) as unknown as JobDetail

test('the input stands in its fields again, and what was left out stays empty', () => {
  expect(orderAgain(agent, jobOf())).toMatchObject({
    serviceId: 'score',
    priceMicro: '20000000',
    title: 'Score our shop',
    buyerProtection: true,
    againOf: 'job1',
    input: {
      '/site': 'https://shop.example/',
      '/skip': '/a\n/b',
      '/isShop': 'false',
      '/contact/email': 'a@b.example',
      '/limits': '[\n  1,\n  2\n]',
    },
  })
  expect(changesSince(agent, jobOf())).toEqual({ isGone: false, price: undefined, hadFiles: false })
})

test('today’s price counts, and is said', () => {
  const job = jobOf({ agreedPrice: '15000000' })
  expect(orderAgain(agent, job).priceMicro).toBe('20000000')
  expect(changesSince(agent, job).price).toEqual({ beforeMicro: '15000000', nowMicro: '20000000' })
})

test('a service that is gone leaves the words, and is said', () => {
  const job = jobOf({ serviceId: 'gone' })
  expect(orderAgain(agent, job)).toMatchObject({ serviceId: 'score', title: 'Score our shop' })
  expect(changesSince(agent, job).isGone).toBe(true)
})

test('a price of one’s own is offered again, with the time that it had', () => {
  const job = jobOf({ serviceId: null, input: null, agreedPrice: '123456789' })
  expect(orderAgain(agent, job)).toMatchObject({
    serviceId: '',
    priceMicro: '123456789',
    deadlineHours: '48',
  })
  const closed = { ...agent, customOrders: 'OFF' as const }
  expect([orderAgain(closed, job).serviceId, changesSince(closed, job).isGone]).toEqual(['score', true])
})
