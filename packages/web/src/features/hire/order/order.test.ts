import { expect, test } from 'vitest'
import { isWhole, type Order, orderBody, parseOrder, startOrder, withService } from './order.ts'

const nowMs = Date.parse('2026-11-16T11:59:59.000Z')

const plainTerms = {
  description: null,
  included: [],
  inputSchema: { type: 'object' },
  outputSchema: { type: 'string' },
  inputRequired: false,
  examples: [],
}
const statement = {
  id: 's1',
  name: 'Statement',
  priceUSDC: '35000000',
  deliveryTime: 12,
  x402Enabled: true,
  ...plainTerms,
}
const close = {
  id: 's2',
  name: 'Monthly close',
  priceUSDC: '180000000',
  deliveryTime: 48,
  x402Enabled: false,
  ...plainTerms,
}
const agent = {
  id: 'agent',
  category: 'finance',
  hourlyRateUsdc: '35000000',
  services: [statement, close],
  customOrders: 'INSTANT' as const,
}

const order: Order = {
  serviceId: '',
  priceMicro: '150000000',
  buyerProtection: false,
  title: ' Reconcile October ',
  description: 'Match the transfers.',
  requirements: '',
  deadlineKind: 'none',
  deadlineHours: '48',
  deadlineAt: '',
  files: [],
  input: {},
  againOf: '',
}

test('begins with the first service, the one that was requested, or the hour', () => {
  expect(startOrder(agent, undefined, undefined)).toMatchObject({ serviceId: 's1', deadlineHours: '12' })
  expect(startOrder(agent, undefined, 's2')).toMatchObject({ serviceId: 's2', priceMicro: '180000000' })
  expect(startOrder({ ...agent, services: [] }, undefined, undefined)).toMatchObject({
    serviceId: '',
    priceMicro: '35000000',
  })
})

test('what was kept stays, and another service changes only what belongs to it', () => {
  const kept = withService(order, statement)
  expect(startOrder(agent, kept, undefined)).toBe(kept)
  expect(startOrder(agent, kept, 's2')).toMatchObject({
    serviceId: 's2',
    priceMicro: '180000000',
    description: order.description,
    title: order.title,
  })
  expect(startOrder({ ...agent, services: [close] }, kept, undefined).serviceId).toBe('')
})

test('a kept order follows the service’s price, and a custom one becomes a service where none are taken', () => {
  const dearer = { ...statement, priceUSDC: '40000000' }
  const kept = withService(order, statement)
  expect(startOrder({ ...agent, services: [dearer] }, kept, undefined).priceMicro).toBe('40000000')
  const servicesOnly = { ...agent, customOrders: 'OFF' as const }
  expect(startOrder(servicesOnly, order, undefined)).toMatchObject({
    serviceId: 's1',
    priceMicro: '35000000',
  })
  expect(startOrder({ ...servicesOnly, services: [close] }, kept, undefined).serviceId).toBe('s2')
})

test('the body names the service and the wish for protection, where there are any', () => {
  expect(orderBody(agent, withService(order, statement))).toMatchObject({
    serviceId: 's1',
    agreedPrice: '35000000',
  })
  expect(orderBody(agent, { ...order, buyerProtection: true })).toHaveProperty('buyerProtection', true)
  expect(orderBody(agent, order)).not.toHaveProperty('buyerProtection')
})

test('the body has one deadline at most, and the requirements below the description', () => {
  expect(orderBody(agent, { ...order, requirements: 'CSV' })).toEqual({
    agentId: 'agent',
    category: 'finance',
    title: 'Reconcile October',
    description: 'Match the transfers.\n\nRequirements:\nCSV',
    agreedPrice: '150000000',
  })
  expect(orderBody(agent, { ...order, deadlineKind: 'hours' })).toHaveProperty('deadlineHours', 48)
  const dated = orderBody(agent, { ...order, deadlineKind: 'date', deadlineAt: '2027-01-02T03:04' })
  expect(dated).toHaveProperty('deadline', new Date('2027-01-02T03:04').toISOString())
  expect(dated).not.toHaveProperty('deadlineHours')
})

test('an order that lacks something is not asked about', () => {
  expect(isWhole(agent, order)).toBe(true)
  expect(isWhole(agent, { ...order, title: ' ' })).toBe(false)
  expect(isWhole(agent, { ...order, priceMicro: '0' })).toBe(false)
  expect(isWhole(agent, { ...order, deadlineKind: 'hours', deadlineHours: '1.5' })).toBe(false)
  expect(isWhole(agent, { ...order, deadlineKind: 'date' })).toBe(false)
})

test('survives the storage, and what is broken there is as good as nothing', () => {
  const file = { uri: 'cfile1', name: 'a.txt', sizeBytes: 3, expiresAt: '2026-11-16T12:00:00.000Z' }
  const full = { ...order, files: [file], buyerProtection: true }
  expect(parseOrder(JSON.stringify(full), nowMs)).toEqual(full)
  for (const text of [null, '', '{', '7', 'null']) expect(parseOrder(text, nowMs)).toBeUndefined()
  const broken = '{"title":5,"priceMicro":"-1","files":[{}],"buyerProtection":"yes"}'
  expect(parseOrder(broken, nowMs)).toMatchObject({
    buyerProtection: false,
    title: '',
    priceMicro: '',
    files: [],
  })
})

test('the body names the files, and a kept order loses those that the service has removed', () => {
  const file = { uri: 'cfile1', name: 'a.txt', sizeBytes: 3, expiresAt: '2026-11-16T12:00:00.000Z' }
  expect(orderBody(agent, { ...order, files: [file] })).toHaveProperty('files', ['cfile1'])
  expect(orderBody(agent, order)).not.toHaveProperty('files')
  const former = { uri: 'ipfs://a', name: 'b.txt', sizeBytes: 3 }
  const text = JSON.stringify({ ...order, files: [file, former] })
  expect(parseOrder(text, nowMs)?.files).toEqual([file])
  expect(parseOrder(text, Date.parse(file.expiresAt))?.files).toEqual([])
})

test('a service with an input schema takes what it asks for, and needs no words', () => {
  const inputSchema = { type: 'object', properties: { pages: { type: 'integer' } }, required: ['pages'] }
  const scoring = { ...statement, id: 's3', name: 'Scoring', inputRequired: true, inputSchema }
  const seller = { ...agent, services: [scoring] }
  const asked = { ...withService(order, scoring), title: '', description: '', input: { '/pages': '3' } }
  expect(isWhole(seller, asked)).toBe(true)
  expect(orderBody(seller, asked)).toMatchObject({
    serviceId: 's3',
    title: 'Scoring',
    description: 'Pages: 3',
    input: { pages: 3 },
  })
  expect(orderBody(agent, order)).not.toHaveProperty('input')
  expect(parseOrder(JSON.stringify(asked), nowMs)?.input).toEqual({ '/pages': '3' })
  expect(parseOrder(JSON.stringify({ ...asked, input: { a: 1 } }), nowMs)?.input).toEqual({})
})
