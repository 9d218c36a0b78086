import type { KycStatus } from '@agent-marketplace/contract'
import { sql } from '../../../platform/db/sql.ts'
import { createLog } from '../../../platform/log/log.ts'
import type { KycPort } from '../../../ports/kyc/port.ts'
import { createSandboxKyc } from '../../../ports/kyc/sandbox.ts'
import { type KycMessage, signMessage } from '../../../ports/kyc/webhook.ts'
import { signIn } from '../../../testing/sign-in.ts'
import { startWorld } from '../../../testing/start-world.ts'
import { createTestClock } from '../../../testing/test-clock.ts'

const webhookSecret = 'webhook-secret'

export const registration = {
  entityType: 'COMPANY',
  entityName: 'Analytical Engines Ltd',
  country: 'GB',
  email: 'ada@example.com',
}

/** The whole app, and what the tests of owners ask of it. The provider can be exchanged, and its sessions are counted. */
export async function createTestOwners() {
  const sandboxKyc = createSandboxKyc({
    publicUrl: new URL('http://localhost:4000'),
    webhookSecret,
    clock: createTestClock(),
  })
  const provider: { port: KycPort; calls: number; renewals: number } = {
    port: sandboxKyc,
    calls: 0,
    renewals: 0,
  }
  const lines: Record<string, unknown>[] = []
  const { log } = createLog({
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  })
  const app = await startWorld({
    ports: () => ({
      log,
      kyc: {
        startSession(applicant) {
          provider.calls += 1
          return provider.port.startSession(applicant)
        },
        renewLink(check) {
          provider.renewals += 1
          return provider.port.renewLink(check)
        },
        identityOf: (sessionId, declared) => provider.port.identityOf(sessionId, declared),
        readWebhook: (webhook) => provider.port.readWebhook(webhook),
      },
    }),
  })
  const { http, db, wallClock: clock, notificationsOf } = app

  return {
    http,
    db,
    clock,
    close: app.close,
    provider,
    sandboxKyc,

    /** What was logged of the provider's messages. */
    loggedMessages: () => lines.filter(({ msg }) => msg === 'kyc message'),

    /** A new owner with a wallet of their own. */
    async signUp() {
      const { ownerId, wallet, bearer, cookie } = await signIn(http)
      return { ownerId, walletAddress: wallet.address, headers: bearer, cookie }
    },

    register(headers: Record<string, string>, payload: object = registration) {
      return http.inject({ method: 'POST', url: '/api/owners/register', headers, payload })
    },

    setKyc(headers: Record<string, string>, payload: { status?: KycStatus; feePaid?: boolean }) {
      return http.inject({ method: 'POST', url: '/api/sandbox/kyc', headers, payload })
    },

    /** Sends a message as the provider does. */
    deliver(message: KycMessage, { secret = webhookSecret, accept = '*/*' } = {}) {
      const { rawBody, headers } = signMessage(message, secret)
      return http.inject({
        method: 'POST',
        url: '/api/webhooks/kyc',
        payload: Buffer.from(rawBody),
        headers: { ...(headers as Record<string, string>), accept },
      })
    },

    setAccountStatus: (ownerId: string, status: string) =>
      db.run(sql`update owners set account_status = ${status} where id = ${ownerId}`),

    async kycStatusOf(ownerId: string): Promise<KycStatus> {
      const row = await db.one<{ kycStatus: KycStatus }>(
        sql`select kyc_status from owners where id = ${ownerId}`,
      )
      return row.kycStatus
    },
    told: notificationsOf,
  }
}
