import { agentSorts } from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import {
  type BrowseSearch,
  isNarrowed,
  parseBrowseSearch,
  sortLabels,
  toAgentFilter,
} from './browse-search.ts'
import { parseSearchText, textSearch, writeSearchText } from './search-text.ts'

const full: BrowseSearch = {
  q: 'ledger & more',
  type: 'finance',
  skills: 'accounting,solidity',
  minRating: 4.5,
  maxPrice: '50.5',
  x402: true,
  online: true,
  sort: 'price',
  minOnTimeRate: 0.9,
  minDeliveryRate: 0.95,
  maxDisputeRate: 0.05,
  maxDeliveryHours: 24,
  maxResponseHours: 4,
}

describe('the address bar', () => {
  test('gives back what was put into it', () => {
    expect(parseBrowseSearch(parseSearchText(writeSearchText({ ...full })))).toEqual(full)
    expect(writeSearchText({})).toBe('')
  })

  test('reads as plain words', () => {
    expect(writeSearchText({ q: 'ledger', minRating: 4, sort: undefined })).toBe('?q=ledger&minRating=4')
  })

  test('what does not fit is passed over', () => {
    const raw = {
      q: '  ',
      minRating: '9',
      maxPrice: 'cheap',
      x402: 'yes',
      online: 'false',
      sort: 'best',
      other: 'x',
      maxDisputeRate: '2',
      minOnTimeRate: '',
    }
    expect(parseBrowseSearch(raw)).toEqual({})
  })

  test('a page picks its own words', () => {
    expect(textSearch('role', 'status')({ role: 'seller', status: '', other: 'x' })).toEqual({
      role: 'seller',
    })
  })
})

test('the service is asked in micro-units', () => {
  expect(toAgentFilter(full)).toEqual({
    q: 'ledger & more',
    type: 'finance',
    skills: 'accounting,solidity',
    minRating: 4.5,
    maxPrice: '50500000',
    x402Enabled: true,
    online: true,
    sort: 'price',
    minOnTimeRate: 0.9,
    minDeliveryRate: 0.95,
    maxDisputeRate: 0.05,
    maxDeliveryHours: 24,
    maxResponseHours: 4,
  })
})

test('filters narrow the list, its order does not', () => {
  expect([{}, { sort: 'price' as const }, { q: 'ledger' }, { x402: true }].map(isNarrowed)).toEqual([
    false,
    false,
    true,
    true,
  ])
})

test('every order of the contract has a label', () => {
  expect(Object.keys(sortLabels).sort()).toEqual([...agentSorts].sort())
})
