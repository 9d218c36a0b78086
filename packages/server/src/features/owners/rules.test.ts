import { AppError, kycStatuses } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kycOutcomes } from '../../ports/kyc/port.ts'
import {
  checkMayRegister,
  cleanRegistration,
  cleanText,
  continuesVerification,
  isNewerWord,
  noticeOf,
  statusOf,
} from './rules.ts'

const given = { entityType: 'COMPANY', entityName: 'Engines', country: 'GB', email: 'a@b.c' }
const now = new Date('2026-11-15T12:00:00.000Z')

test.each([
  ['  Ada  ', 'Ada'],
  ['Zoe\u0308', 'Zo\u00eb'],
  ['Ada\u202egnp.exe', 'Adagnp.exe'],
  ['\u2066Ada\u2069\u200f', 'Ada'],
  ['Ada \r\nLovelace\u0000', 'Ada Lovelace'],
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['\u200e \u202a', ''],
])('text %o is kept as %o', (text, clean) => {
  expect(cleanText(text)).toBe(clean)
})

test('what is left out or blank is stored as null', () => {
  expect(cleanRegistration({ ...given, city: '  ', state: ' Kent ' })).toEqual({
    ...given,
    legalAddress: null,
    city: null,
    state: 'Kent',
    postalCode: null,
    phoneNumber: null,
    ein: null,
  })
})

test.each(['entityType', 'entityName', 'country'])('a blank %s is refused by name', (field) => {
  const refusal = expect.objectContaining({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: `/${field}`, message: 'is blank' }] },
  })
  expect(() => cleanRegistration({ ...given, [field]: ' \u202e ' })).toThrow(refusal)
})

test('everyone but the verified may register', () => {
  for (const status of kycStatuses.filter((each) => each !== 'VERIFIED')) {
    expect(() => checkMayRegister(status)).not.toThrow()
  }
  expect(() => checkMayRegister('VERIFIED')).toThrow(AppError)
})

test('a verification goes on while it is in review and its link works', () => {
  const live = { urlExpiresAt: new Date(now.getTime() + 1) }
  expect(continuesVerification('IN_REVIEW', live, now)).toBe(true)
  expect(continuesVerification('IN_REVIEW', { urlExpiresAt: now }, now)).toBe(false)
  expect(continuesVerification('IN_REVIEW', undefined, now)).toBe(false)
  expect(continuesVerification('REJECTED', live, now)).toBe(false)
})

const Words = fc.array(
  fc.record({
    createdAt: fc.integer({ min: 0, max: 5 }).map((ms) => new Date(now.getTime() + ms)),
    outcome: fc.constantFrom(...kycOutcomes),
  }),
  { minLength: 1, maxLength: 8 },
)

test('the word that stands does not depend on the order of arrival', () => {
  const standing = (words: { createdAt: Date; outcome: (typeof kycOutcomes)[number] }[]) =>
    words.reduce((last, word) => (isNewerWord(word, last) ? word : last))
  const arrivals = Words.chain((words) =>
    fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length })),
  )
  fc.assert(
    fc.property(arrivals, ([made, arrived]) => {
      expect(standing([...arrived, ...arrived])).toEqual(standing(made))
    }),
    { seed: 20_261_115, numRuns: 500 },
  )
})

test('a request for another try leaves the owner free to register', () => {
  expect(kycOutcomes.map(statusOf)).toEqual(['IN_REVIEW', 'PENDING', 'VERIFIED', 'REJECTED'])
})

test('the reason is included where there is one', () => {
  expect(noticeOf('REJECTED', 'Too dark.').message).toContain('Too dark.')
  expect(noticeOf('REJECTED', undefined).message).not.toContain('undefined')
})
