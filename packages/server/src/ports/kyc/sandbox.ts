import { createHmac } from 'node:crypto'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { KycCheck, KycLink, SandboxKyc } from './port.ts'
import { readMessage, referenceOf, signMessage } from './webhook.ts'

const URL_LIFETIME_SECONDS = 30 * 24 * 3600

export interface SandboxKycOptions {
  publicUrl: URL
  webhookSecret: string
  clock: Clock
}

/** A provider that anyone can play: its page has a button for each decision. It keeps nothing of its own. */
export function createSandboxKyc({ publicUrl, webhookSecret, clock }: SandboxKycOptions): SandboxKyc {
  const linkOf = (sessionId: string): KycLink => ({
    url: new URL(`/sandbox/kyc/${sessionId}`, publicUrl).href,
    urlExpiresAt: addSeconds(clock.now(), URL_LIFETIME_SECONDS),
  })

  return {
    async startSession(applicant) {
      const sessionId = applicantIdOf(applicant, webhookSecret)
      return { sessionId, ...linkOf(sessionId) }
    },

    renewLink: async (check) => linkOf(applicantIdOf(check, webhookSecret)),

    // Its page shows what was declared: that is what the press of a button approves.
    identityOf: async (_sessionId, declared) => declared,

    readWebhook: (webhook) => readMessage(webhook, webhookSecret),

    messageOf({ sessionId, ownerId, answer, reason }) {
      const rejection =
        answer === 'RED' ? { reviewRejectType: 'FINAL', moderationComment: reason ?? null } : {}
      return signMessage(
        {
          type: 'applicantReviewed',
          applicantId: sessionId,
          externalUserId: ownerId,
          createdAtMs: clock.now().toISOString().replace('T', ' ').replace('Z', ''),
          reviewResult: { reviewAnswer: answer, ...rejection },
        },
        webhookSecret,
      )
    },
  }
}

/** One applicant per check of an owner, with an id that nobody can guess: anyone who knows the page's address can decide on it. */
function applicantIdOf(check: KycCheck, secret: string): string {
  return createHmac('sha256', secret)
    .update(`applicant:${referenceOf(check)}`)
    .digest('hex')
    .slice(0, 24)
}
