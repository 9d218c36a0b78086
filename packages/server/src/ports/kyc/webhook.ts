import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { KycCheck, KycEvent, KycOutcome, KycWebhook } from './port.ts'

/**
 * Messages in Sumsub's dialect. The sandbox provider speaks it too, so that a press on its page takes the very way of a
 * real decision.
 */
const Message = Compile(
  Type.Object({
    type: Type.String(),
    applicantId: Type.String({ minLength: 1, maxLength: 100 }),
    externalUserId: Type.String({ minLength: 1, maxLength: 100 }),
    createdAtMs: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$' }),
    testMode: Type.Optional(Type.Boolean()),
    reviewResult: Type.Optional(
      Type.Object({
        reviewAnswer: Type.Optional(Type.String()),
        reviewRejectType: Type.Optional(Type.String()),
        moderationComment: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
    ),
  }),
)

export interface KycMessage {
  type: string
  applicantId: string
  externalUserId: string
  /** UTC without a zone, as in `2026-11-15 09:30:00.123`. */
  createdAtMs: string
  testMode?: boolean
  reviewResult?: {
    reviewAnswer?: string
    reviewRejectType?: string
    moderationComment?: string | null
  }
}

/** The sender names the algorithm of the digest, so an attacker would too: only this one is taken. */
const DIGEST_ALGORITHM = 'HMAC_SHA256_HEX'
const MAX_REASON_LENGTH = 500

const typesInReview = new Set([
  'applicantPending',
  'applicantPrechecked',
  'applicantOnHold',
  'applicantAwaitingService',
  // The documents count no longer and are requested again.
  'applicantReset',
])

/** The name that an applicant goes by at the provider: the owner's id, and from the second check on its number. */
export function referenceOf({ ownerId, check }: KycCheck): string {
  return check === 1 ? ownerId : `${ownerId}.${check}`
}

function ownerIdOf(reference: string): string {
  return reference.replace(/\.\d+$/, '')
}

export function signMessage(message: KycMessage, secret: string): KycWebhook {
  const rawBody = Buffer.from(JSON.stringify(message))
  return {
    rawBody,
    headers: {
      'content-type': 'application/json',
      'x-payload-digest': digestOf(rawBody, secret),
      'x-payload-digest-alg': DIGEST_ALGORITHM,
    },
  }
}

export function readMessage(webhook: KycWebhook, secret: string): KycEvent | 'forged' | 'unrelated' {
  if (!isSigned(webhook, secret)) return 'forged'
  const message = parse(webhook.rawBody)
  const createdAt = message && new Date(`${message.createdAtMs.replace(' ', 'T')}Z`)
  if (!message || !createdAt || Number.isNaN(createdAt.getTime())) return 'unrelated'
  return {
    eventId: eventIdOf(message),
    sessionId: message.applicantId,
    ownerId: ownerIdOf(message.externalUserId),
    outcome: outcomeOf(message),
    createdAt,
    reason: message.reviewResult?.moderationComment?.slice(0, MAX_REASON_LENGTH) || undefined,
  }
}

function isSigned({ rawBody, headers }: KycWebhook, secret: string): boolean {
  const algorithm = headers['x-payload-digest-alg']
  if (algorithm !== undefined && algorithm !== DIGEST_ALGORITHM) return false
  const given = Buffer.from(String(headers['x-payload-digest'] ?? '').toLowerCase())
  const expected = Buffer.from(digestOf(rawBody, secret))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function digestOf(rawBody: Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(rawBody).digest('hex')
}

function parse(rawBody: Uint8Array): KycMessage | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(rawBody).toString('utf8'))
    return Message.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The provider numbers its messages nowhere; these say the same thing however often it is sent. */
function eventIdOf({ type, applicantId, createdAtMs, reviewResult }: KycMessage): string {
  const { reviewAnswer = '', reviewRejectType = '' } = reviewResult ?? {}
  const parts = [type, applicantId, createdAtMs, reviewAnswer, reviewRejectType]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function outcomeOf({ type, testMode, reviewResult }: KycMessage): KycOutcome | undefined {
  if (testMode) return undefined
  if (typesInReview.has(type)) return 'IN_REVIEW'
  if (type !== 'applicantReviewed') return undefined
  if (reviewResult?.reviewAnswer === 'GREEN') return 'VERIFIED'
  if (reviewResult?.reviewAnswer !== 'RED') return undefined
  return reviewResult.reviewRejectType === 'RETRY' ? 'RETRY' : 'REJECTED'
}
