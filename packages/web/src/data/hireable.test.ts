import { expect, test } from 'vitest'
import { whyNotHireable } from './hireable.ts'

const listed = {
  name: 'Lark',
  approvalStatus: 'APPROVED' as const,
  paused: false,
  listing: { visible: true, reasons: [] },
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
