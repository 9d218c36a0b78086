import { MarketplaceError } from '@agent-marketplace/sdk'
import { expect, test } from 'vitest'
import { fieldErrors } from './field-errors.ts'

test('every issue stands beside its field', () => {
  const issues = [
    { path: '/reason', message: 'must not be empty' },
    { path: '/evidence/0', message: 'is not an ipfs:// address' },
  ]
  const error = new MarketplaceError('VALIDATION_ERROR', { message: 'No.', details: { issues } })
  expect(fieldErrors(error)).toEqual({
    reason: 'This must not be empty.',
    evidence: 'This is not an ipfs:// address.',
  })
})

test('other errors belong to no field', () => {
  expect(fieldErrors(new MarketplaceError('CONFLICT', { message: 'No.' }))).toEqual({})
  expect(fieldErrors(new Error('No.'))).toEqual({})
})
