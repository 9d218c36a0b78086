import type { AccountStatus } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { createTokenGuesses } from '../../platform/http/limits/token-guesses.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { randomAlphanumeric } from '../../platform/id/id.ts'
import type { CredentialRow, Holder } from './credential.ts'
import type { CredentialStore } from './credential-store.ts'

const MINUTE_MS = 60_000

interface Deps {
  db: Database
  /** Real time: credentials expire by it. */
  clock: Clock
  store: Pick<CredentialStore<CredentialRow>, 'findHolderById' | 'saveUsed'>
  /** How many times the usual limits the owner's programs have. */
  rateFactorOf: (ownerId: string) => Promise<number>
  /** Off where rate limits are. */
  areGuessesLimited: boolean
}

interface Arrived<Found> {
  /** Identifies what was sent without containing it. */
  fingerprint: string
  clientAddress: string
  find: (now: Date) => Promise<Found | undefined>
}

/** How a program proves that it holds a credential. It keeps guesses from the database, and notes the minute of the last use. */
export function createAuthenticating({ db, clock, store, rateFactorOf, areGuessesLimited }: Deps) {
  const guesses = createTokenGuesses({ clock, areLimited: areGuessesLimited })

  return {
    /** Undefined unless the credential works now. */
    async findArrived<Found extends Holder<CredentialRow>>({
      fingerprint,
      clientAddress,
      find,
    }: Arrived<Found>): Promise<Found | undefined> {
      const now = clock.now()
      if (guesses.isMissing(fingerprint)) return undefined
      guesses.checkAddress(fingerprint, clientAddress)
      const holder = await find(now)
      if (!holder) {
        await guesses.missed(fingerprint, clientAddress)
        return undefined
      }
      guesses.found(fingerprint)
      const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)
      if (holder.lastUsedAt?.getTime() !== minute.getTime()) await store.saveUsed(db, holder.id, minute)
      return holder
    },

    /** The caller as the pipeline knows it. A credential is never an admin. */
    principalOf: async (
      holder: Holder<CredentialRow>,
      own: Pick<Principal, 'sessionId' | 'expiresAt'>,
    ): Promise<Principal> => ({
      ...own,
      ownerId: holder.ownerId,
      // A credential that arrives as a cookie can never show this: only its Bearer form may change things.
      csrfToken: randomAlphanumeric(32),
      kycStatus: holder.kycStatus,
      kycFeePaid: holder.kycFeePaid,
      isAdmin: false,
      accountStatus: holder.accountStatus,
      scopes: holder.scopes,
      rateFactor: await rateFactorOf(holder.ownerId),
      budget: { id: holder.id, isCapped: holder.isCapped },
    }),

    /** For connections that stay open: whether the credential works, and the account is what it was when they were opened. */
    async isLive(id: string, accountStatus: AccountStatus): Promise<boolean> {
      const holder = await store.findHolderById(db, id, clock.now())
      return holder?.accountStatus === accountStatus && accountStatus !== 'DEACTIVATED'
    },
  }
}
