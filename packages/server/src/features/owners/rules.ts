import {
  AppError,
  invalidField,
  type KycStatus,
  kycStatuses,
  type OwnerRegistration,
} from '@agent-marketplace/contract'
import type { NoticeWords } from '../../platform/notices/notice.ts'
import { type KycOutcome, kycOutcomes } from '../../ports/kyc/port.ts'

/** Registration data as it is stored: clean text, and null for what was left out or left blank. */
export interface Registration {
  entityType: string
  entityName: string
  legalAddress: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string
  phoneNumber: string | null
  email: string
  ein: string | null
}

export function cleanRegistration(given: OwnerRegistration): Registration {
  return {
    entityType: required('entityType', given.entityType),
    entityName: required('entityName', given.entityName),
    legalAddress: cleanText(given.legalAddress) || null,
    city: cleanText(given.city) || null,
    state: cleanText(given.state) || null,
    postalCode: cleanText(given.postalCode) || null,
    country: required('country', given.country),
    phoneNumber: cleanText(given.phoneNumber) || null,
    email: required('email', given.email),
    ein: cleanText(given.ein) || null,
  }
}

function required(field: string, text: string): string {
  const clean = cleanText(text)
  if (clean === '') throw invalidField(`/${field}`, 'is blank')
  return clean
}

/** Direction marks can make one name look like another; control characters have no place in a line of text. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** One line of text in its composed form, its words one space apart. */
export function cleanText(text = ''): string {
  return text
    .toWellFormed()
    .replace(directionMarks, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .normalize('NFC')
    .trim()
}

const registrable: readonly KycStatus[] = kycStatuses.filter((status) => status !== 'VERIFIED')

export function mayRegister(status: KycStatus): boolean {
  return registrable.includes(status)
}

export function checkMayRegister(status: KycStatus): void {
  if (mayRegister(status)) return
  throw new AppError('INVALID_STATE', {
    message: 'You are verified already.',
    details: { status, allowed: [...registrable] },
  })
}

/** Whether registering again continues the running verification. */
export function continuesVerification(
  status: KycStatus,
  session: { urlExpiresAt: Date } | undefined,
  now: Date,
): boolean {
  return status === 'IN_REVIEW' && session !== undefined && session.urlExpiresAt > now
}

/** The check that this registration belongs to: the one that runs or ran, unless it names somebody else. */
export function checkNumberOf(
  known: { checkNumber: number; entityType: string; entityName: string } | undefined,
  { entityType, entityName }: Pick<Registration, 'entityType' | 'entityName'>,
): number {
  if (known === undefined) return 1
  const isSame =
    known.entityName === entityName && known.entityType.toUpperCase() === entityType.toUpperCase()
  return isSame ? known.checkNumber : known.checkNumber + 1
}

interface Word {
  createdAt: Date
  outcome: KycOutcome
}

/**
 * Messages arrive in any order, so the newest one stands, whenever it comes. Of two made in the same millisecond the
 * more careful one stands: the result depends on what was said, never on what arrived first.
 */
export function isNewerWord(word: Word, last: Word | undefined): boolean {
  if (!last) return true
  const difference = word.createdAt.getTime() - last.createdAt.getTime()
  if (difference !== 0) return difference > 0
  return kycOutcomes.indexOf(word.outcome) > kycOutcomes.indexOf(last.outcome)
}

export function statusOf(outcome: KycOutcome): KycStatus {
  return outcome === 'RETRY' ? 'PENDING' : outcome
}

/** The reason for the current status, where the provider's last message set it and gave one. */
export function rejectionReasonOf(
  status: KycStatus,
  last: { lastOutcome: KycOutcome | null; lastReason: string | null } | undefined,
): string | null {
  const isRefused = status === 'REJECTED' || status === 'PENDING'
  if (!isRefused || !last?.lastOutcome || statusOf(last.lastOutcome) !== status) return null
  return last.lastReason
}

/** The owner's notification when their status becomes this one. */
export function noticeOf(status: KycStatus, reason: string | undefined): NoticeWords {
  const why = reason ? ` The provider says: ${reason}` : ''
  switch (status) {
    case 'IN_REVIEW':
      return {
        type: 'KYC_STARTED',
        title: 'Verification started',
        message: 'Your identity is being verified. You will be notified of the decision.',
      }
    case 'VERIFIED':
      return {
        type: 'KYC_VERIFIED',
        title: 'You are verified',
        message: 'Your identity is verified: you can sell, be paid out and withdraw.',
      }
    case 'REJECTED':
      return {
        type: 'KYC_REJECTED',
        title: 'Verification rejected',
        message: `Your identity could not be verified. You can register again.${why}`,
      }
    case 'PENDING':
      return {
        type: 'KYC_REJECTED',
        title: 'Verification needs another try',
        message: `Something was missing or not readable. Register again to go on.${why}`,
      }
  }
}
