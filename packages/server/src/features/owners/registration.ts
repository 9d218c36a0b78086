import { AppError, type OwnerRegistration } from '@agent-marketplace/contract'
import type { OwnerRow } from '../../house/owner-record.ts'
import type { Steps } from '../../house/steps.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/sealing/sealer.ts'
import type { KycPort, KycSession } from '../../ports/kyc/port.ts'
import { changeKycStatus, type KycStatusDeps } from './kyc-status.ts'
import { findSession, type SessionRow, saveSession } from './kyc-store.ts'
import {
  checkMayRegister,
  checkNumberOf,
  cleanRegistration,
  continuesVerification,
  mayRegister,
  type Registration,
} from './rules.ts'
import { sealDetails } from './sealed-details.ts'
import { findOwner, lockOwnerRow, saveRegistration } from './store.ts'

export interface RegistrationDeps extends KycStatusDeps {
  db: Database
  clock: Clock
  kyc: KycPort
  /** Seals what is personal before it is stored. */
  sealer: Sealer
}

/** What is known before the transaction: the clean data, and the provider's session where one had to be requested. */
interface Prepared {
  registration: Registration
  session: (KycSession & { check: number }) | undefined
}

export interface Registered {
  owner: OwnerRow
  session: SessionRow
}

/**
 * Registering: the provider is asked first, and nothing is stored before the decision. The provider keys applicants by owner and check, so a retry after a crash, or a
 * twin that runs beside, ends with the same applicant. A check vouches for the name and type that it began with: an owner who
 * declares others is another applicant, and no word about the former one counts any more.
 */
export function createRegistration(deps: RegistrationDeps) {
  const { db, clock, kyc, sealer } = deps

  return (ownerId: string, given: OwnerRegistration): Steps<Prepared, Registered> => ({
    async prepare() {
      const registration = cleanRegistration(given)
      const [owner, known] = await Promise.all([findOwner(db, ownerId), findSession(db, ownerId)])
      const status = owner.kycStatus
      // Whether the state allows it is decided behind the Idempotency-Key: a repeated request gets its first response,
      // whatever the state is by now.
      if (!mayRegister(status) || continuesVerification(status, known, clock.now())) {
        return { registration, session: undefined }
      }
      const { entityType, entityName, email, phoneNumber } = registration
      const check = checkNumberOf(known, registration)
      const session = await kyc.startSession({
        ownerId,
        check,
        entityType,
        entityName,
        email,
        phoneNumber: phoneNumber ?? undefined,
      })
      return { registration, session: { ...session, check } }
    },

    async decide(tx, { registration, session: begun }) {
      const now = clock.now()
      const owner = await lockOwnerRow(tx, ownerId)
      checkMayRegister(owner.kycStatus)
      const known = await findSession(tx, ownerId)
      if (known && continuesVerification(owner.kycStatus, known, now)) return { owner, session: known }
      if (!begun || begun.check !== checkNumberOf(known, registration)) {
        throw new AppError('UNAVAILABLE', { message: 'Your verification changed just now. Try again.' })
      }
      const session = await saveSession(tx, ownerId, { ...begun, ...registration }, now)
      const registered = await saveRegistration(tx, ownerId, {
        ...registration,
        sealedDetails: sealDetails(sealer, ownerId, registration),
      })
      return { owner: await changeKycStatus(tx, deps, registered, { to: 'IN_REVIEW' }), session }
    },
  })
}
