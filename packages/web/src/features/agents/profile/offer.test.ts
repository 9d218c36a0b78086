import { expect, test } from 'vitest'
import { lowestOffer } from './offer.ts'
import { railsOf } from './rails-of.ts'

const service = (priceUSDC: string, deliveryTime: number) => ({
  id: priceUSDC,
  name: 'A service',
  priceUSDC,
  deliveryTime,
  x402Enabled: true,
})

test('the cheapest service stands for the agent, with its own delivery time', () => {
  const services = [service('180000000', 48), service('35000000', 12)]
  expect(lowestOffer({ services, hourlyRateUsdc: '35000000' })).toEqual({
    priceMicro: 35_000_000n,
    per: 'cheapest',
    deliveryHours: 12,
  })
})

test('one service has one price, and an agent without services has its hour', () => {
  expect(lowestOffer({ services: [service('20000000', 6)], hourlyRateUsdc: '20000000' })?.per).toBe('service')
  expect(lowestOffer({ services: [], hourlyRateUsdc: '25000000' })).toEqual({
    priceMicro: 25_000_000n,
    per: 'hour',
    deliveryHours: undefined,
  })
  expect(lowestOffer({ services: [], hourlyRateUsdc: '0' })).toBeUndefined()
})

test('the rails follow from the prices: escrow from 100 USDC on', () => {
  expect(railsOf({ services: [service('99999999', 1)] })).toEqual(['X402'])
  expect(railsOf({ services: [service('100000000', 1)] })).toEqual(['ESCROW'])
  expect(railsOf({ services: [service('100000000', 1), service('1', 1)] })).toEqual(['X402', 'ESCROW'])
  expect(railsOf({ services: [] })).toEqual(['X402', 'ESCROW'])
})
