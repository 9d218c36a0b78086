import { expect, test } from 'vitest'
import { emptyRegistration, toRegistration } from './registration-values.ts'

const person = {
  ...emptyRegistration,
  entityName: ' Ada Lovelace ',
  country: 'United Kingdom',
  email: 'ada@example.com',
}

test('what was left empty is not sent', () => {
  expect(toRegistration({ ...person, city: '  ', phoneNumber: ' 020 ' })).toEqual({
    entityType: 'INDIVIDUAL',
    entityName: 'Ada Lovelace',
    country: 'GB',
    email: 'ada@example.com',
    phoneNumber: '020',
  })
})

test('a person has no employer number, a company may', () => {
  expect(toRegistration({ ...person, ein: '12-3' }).ein).toBeUndefined()
  expect(toRegistration({ ...person, entityType: 'COMPANY', ein: '12-3' }).ein).toBe('12-3')
})
