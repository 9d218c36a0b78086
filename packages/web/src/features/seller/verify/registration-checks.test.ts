import { expect, test } from 'vitest'
import { checkCountry, checkEmail, checkTaxNumber } from './registration-checks.ts'

test.each(['ada@example.com', ' ada.l+x@mail.example.co.uk '])('%s is an email address', (text) => {
  expect(checkEmail(text)).toBe(true)
})

test.each(['', 'ada', 'ada@example', 'ada@.com', 'ada@example.', 'a b@example.com', 'ada@example.c0m1'])(
  '“%s” is none',
  (text) => {
    expect(checkEmail(text)).not.toBe(true)
  },
)

test('a country is one of the list', () => {
  expect(checkCountry('Estonia')).toBe(true)
  expect(checkCountry('Estonya')).toBe('Choose a country from the list.')
})

test('an EIN has nine digits; other tax numbers have some digit at least', () => {
  expect(checkTaxNumber('', 'US')).toBe(true)
  expect(checkTaxNumber('12-3456789', 'United States')).toBe(true)
  expect(checkTaxNumber('12-345678', 'US')).not.toBe(true)
  expect(checkTaxNumber('EE101234567', 'Estonia')).toBe(true)
  expect(checkTaxNumber('none', 'Estonia')).not.toBe(true)
})
