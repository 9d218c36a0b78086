import { AppError, type KycStatus } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Log } from '../../platform/log/log.ts'
import type { KycEvent, KycIdentity, KycPort, KycWebhook } from '../../ports/kyc/port.ts'
import { changeKycStatus, type KycStatusDeps } from './kyc-status.ts'
import { findSession, findSessionById, insertEvent, saveLastWord } from './kyc-store.ts'
import { cleanText, isNewerWord, statusOf } from './rules.ts'
import { findOwner, lockOwnerRow, saveIdentity } from './store.ts'

export interface VerificationDeps extends KycStatusDeps {
  db: Database
  clock: Clock
  log: Log
  kyc: KycPort
}

type Verdict = 'applied' | 'unknown applicant' | 'repeated' | 'without outcome' | 'out of date'

/** Someone whom the provider verifies, as the provider's own page shows them. */
export interface VerifiedApplicant {
  ownerId: string
  entityName: string
  kycStatus: KycStatus
}

/** Applies the provider's decision: once however often it is sent, and an older one never undoes a newer one. */
export function createVerification(deps: VerificationDeps) {
  const { db, clock, log, kyc } = deps

  /** Asked before the transaction: who is verified is what the provider found, never what was declared. */
  async function identityIn(event: KycEvent): Promise<KycIdentity | undefined> {
    if (event.outcome !== 'VERIFIED') return undefined
    const session = await findSessionById(db, event.sessionId)
    if (session?.ownerId !== event.ownerId) return undefined
    const { entityType, entityName } = session
    const found = await kyc.identityOf(event.sessionId, { entityType, entityName })
    return { entityType: cleanText(found.entityType), entityName: cleanText(found.entityName) }
  }

  async function apply(
    tx: Transaction,
    event: KycEvent,
    identity: KycIdentity | undefined,
  ): Promise<Verdict> {
    const known = await findSessionById(tx, event.sessionId)
    if (known?.ownerId !== event.ownerId) return 'unknown applicant'
    const owner = await lockOwnerRow(tx, event.ownerId)
    // Read again behind the lock: a message that was handled meanwhile has left its mark here.
    const session = await findSession(tx, event.ownerId)
    if (session?.sessionId !== event.sessionId) return 'unknown applicant'
    if (!(await insertEvent(tx, event, clock.now()))) return 'repeated'

    const { outcome, createdAt, reason } = event
    if (!outcome) return 'without outcome'
    const { lastEventAt: lastAt, lastOutcome } = session
    const last = lastAt && lastOutcome ? { createdAt: lastAt, outcome: lastOutcome } : undefined
    if (!isNewerWord({ createdAt, outcome }, last)) return 'out of date'
    await saveLastWord(tx, owner.id, { createdAt, outcome })
    if (identity) await saveIdentity(tx, owner.id, identity)
    await changeKycStatus(tx, deps, owner, { to: statusOf(outcome), reason })
    return 'applied'
  }

  return {
    /**
     * Takes a message as it came in. A forged one is refused, and one that needs a provider who is not there is requested
     * again; whatever else is wrong, sending it again won't help.
     */
    async receiveWebhook(webhook: KycWebhook): Promise<void> {
      const read = kyc.readWebhook(webhook)
      if (read === 'forged') {
        throw new AppError('UNAUTHORIZED', { message: 'The digest does not verify for this body.' })
      }
      if (read === 'unrelated') {
        log.warn('kyc message that is not about an applicant')
        return
      }
      const event = { ...read, reason: cleanText(read.reason) || undefined }
      const identity = await identityIn(event)
      const verdict = await db.transaction((tx) => apply(tx, event, identity))
      const { eventId, sessionId, outcome } = event
      const level = verdict === 'unknown applicant' ? 'warn' : 'info'
      log[level]({ eventId, sessionId, outcome, verdict }, 'kyc message')
    },

    async findApplicant(sessionId: string): Promise<VerifiedApplicant | undefined> {
      const session = await findSessionById(db, sessionId)
      if (!session) return undefined
      const owner = await findOwner(db, session.ownerId)
      return { ownerId: owner.id, entityName: session.entityName, kycStatus: owner.kycStatus }
    },
  }
}
