import { expect, test } from 'vitest'
import { whyNotHireable } from './hireable.ts'

const listed = {
  name: 'Lark',
  approvalStatus: 'APPROVED' as const,
  paused: false,
  listing: { visible: true, reasons: [] },
  undeliveredJobs: 0,
  services: [],
  customOrders: 'INSTANT' as const,
}
const hidden = { visible: false, reasons: [] }

test('a listed agent can be hired, and one that awaits approval can by its address', () => {
  expect(whyNotHireable(listed)).toBeUndefined()
  expect(whyNotHireable({ ...listed, approvalStatus: 'PENDING', listing: hidden })).toBeUndefined()
})

test('a rejected, a paused and a suspended one cannot, each with its own words', () => {
  expect(whyNotHireable({ ...listed, approvalStatus: 'REJECTED', listing: hidden })).toContain('not approved')
  expect(whyNotHireable({ ...listed, paused: true, listing: hidden })).toContain('paused')
  expect(whyNotHireable({ ...listed, listing: hidden })).toContain('suspended')
  expect(
    whyNotHireable({
      ...listed,
      approvalStatus: 'PENDING',
      listing: { visible: false, reasons: ['PENDING_APPROVAL', 'OWNER_SUSPENDED'] },
    }),
  ).toContain('suspended')
})

test('one that is hidden for undelivered jobs can be hired by its address', () => {
  expect(whyNotHireable({ ...listed, listing: hidden, undeliveredJobs: 3 })).toBeUndefined()
  expect(whyNotHireable({ ...listed, listing: hidden, undeliveredJobs: 2 })).toContain('suspended')
})

test('one without services and custom orders cannot', () => {
  expect(whyNotHireable({ ...listed, customOrders: 'OFF' })).toContain('no custom orders')
})
