import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import type { KycPort } from '../../ports/kyc/port.ts'
import { type SessionRow, saveLink } from './kyc-store.ts'

export interface KycLinkDeps {
  db: Database
  clock: Clock
  log: Log
  kyc: KycPort
}

/**
 * Where to continue a running verification. An expired URL is renewed on request; it is left out when
 * the provider does not respond, because a dead link helps nobody.
 */
export function createKycLinks({ db, clock, log, kyc }: KycLinkDeps) {
  const renewals = new Map<string, Promise<string | null>>()

  async function renew(session: SessionRow): Promise<string | null> {
    try {
      const link = await kyc.renewLink({ ownerId: session.ownerId, check: session.checkNumber })
      await saveLink(db, session, link)
      return link.url
    } catch (error) {
      log.warn({ err: error, sessionId: session.sessionId }, 'kyc link could not be renewed')
      return null
    }
  }

  return (session: SessionRow): Promise<string | null> | string => {
    if (session.urlExpiresAt > clock.now()) return session.url
    const { ownerId } = session
    const renewal = renewals.get(ownerId) ?? renew(session).finally(() => renewals.delete(ownerId))
    renewals.set(ownerId, renewal)
    return renewal
  }
}
