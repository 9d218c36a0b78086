import { expect, test } from 'vitest'
import { emptyService } from './agent-values.ts'
import { previewOffer } from './preview-offer.ts'

const close = { ...emptyService, priceMicro: 150_000_000n, deliveryHours: 72 }
const count = { ...emptyService, priceMicro: 25_000_000n, deliveryHours: 24 }

test('the cheapest service is named, with its own time', () => {
  expect(previewOffer({ services: [close, count], hourlyRateMicro: 1_000_000n })).toEqual({
    priceMicro: 25_000_000n,
    per: 'cheapest',
    deliveryHours: 24,
  })
  expect(previewOffer({ services: [close, emptyService], hourlyRateMicro: undefined })?.per).toBe('service')
})

test('without a priced service the hour is named, or nothing', () => {
  expect(previewOffer({ services: [emptyService], hourlyRateMicro: 20_000_000n })?.per).toBe('hour')
  expect(previewOffer({ services: [], hourlyRateMicro: undefined })).toBeUndefined()
})
