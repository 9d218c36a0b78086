import { AppError, NONCE_LIFETIME_SECONDS, type Owner } from '@agent-marketplace/contract'
import type { Static } from 'typebox'
import { signInMessage } from '../../house/sign-in-message.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { randomAlphanumeric } from '../../platform/id/id.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import { couldVerify, NONCE_RANDOM_LENGTH, nonceFor, SIGN_IN_STATEMENT } from './rules.ts'
import { findNonce, insertNonce, type NonceRow, removeExpiredNonces, useNonce } from './store.ts'

/**
 * Sign-in by wallet. It promises: a nonce serves one sign-in of the wallet it was made for; nobody else's request can
 * use it up; a failed check of a smart account is "not available" when the chain is silent, never "valid".
 */
export interface AuthDeps {
  db: Database
  accounts: Accounts
  clock: Clock
  chain: ChainPort
  sessions: {
    open: (tx: Queryable, ownerId: string) => Promise<{ token: string; csrfToken: string }>
    end: (sessionId: string) => Promise<void>
  }
  publicUrl: URL
  /** Whether a signature over the nonce alone is accepted: clients of the spec send it, but it names no site and no chain. */
  takesBareNonce: boolean
}

export interface Account {
  owner: Static<typeof Owner>
  /** Empty before registration. */
  entityName: string
}

/** What sign-in needs from owners. */
export interface Accounts {
  findOrCreate(db: Queryable, walletAddress: string): Promise<Account>
  find(db: Queryable, ownerId: string): Promise<Account>
}

export interface SignedIn {
  account: Account
  token: string
  csrfToken: string
}

export function createAuthService(deps: AuthDeps) {
  const { db, clock, chain } = deps

  async function issueNonce(walletAddress: string): Promise<NonceRow> {
    const issuedAt = clock.now()
    const expiresAt = addSeconds(issuedAt, NONCE_LIFETIME_SECONDS)
    const checksummed = chain.checksumAddress(walletAddress)
    const nonce = nonceFor(deps.publicUrl, randomAlphanumeric(NONCE_RANDOM_LENGTH))
    const message = signInMessage({
      domain: deps.publicUrl.host,
      walletAddress: checksummed,
      statement: SIGN_IN_STATEMENT,
      uri: deps.publicUrl.origin,
      chainId: chain.facts.chainId,
      nonce,
      issuedAt,
      expiresAt,
    })
    const row = { nonce, walletAddress: checksummed, message, expiresAt }
    await insertNonce(db, row)
    return row
  }

  async function signIn(attempt: {
    walletAddress: string
    signature: string
    nonce: string
  }): Promise<SignedIn> {
    const issued =
      couldVerify(attempt) && (await findNonce(db, attempt.nonce, attempt.walletAddress, clock.now()))
    if (!issued) throw refused()
    if (!(await isSignedBy(issued, attempt.signature))) throw refused()
    return db.transaction(async (tx) => {
      if (!(await useNonce(tx, issued.nonce))) throw refused()
      const account = await deps.accounts.findOrCreate(tx, issued.walletAddress)
      const { owner } = account
      if (owner.accountStatus === 'DEACTIVATED') {
        throw new AppError('FORBIDDEN', { message: 'This account is deactivated.' })
      }
      return { account, ...(await deps.sessions.open(tx, owner.id)) }
    })
  }

  /** Wallets sign the whole message; a client that reads the spec to the letter signs the bare nonce. */
  async function isSignedBy(issued: NonceRow, signature: string): Promise<boolean> {
    for (const message of deps.takesBareNonce ? [issued.message, issued.nonce] : [issued.message]) {
      if (await chain.verifyMessage({ address: issued.walletAddress, message, signature })) return true
    }
    return false
  }

  return {
    issueNonce,
    signIn,
    accountOf: (ownerId: string) => deps.accounts.find(db, ownerId),
    signOut: (sessionId: string) => deps.sessions.end(sessionId),
    removeExpired: (signal: AbortSignal) => removeExpiredNonces(db, clock.now(), signal),
  }
}

export type AuthService = ReturnType<typeof createAuthService>

/** Which of the checks failed is not disclosed. */
function refused(): AppError {
  return new AppError('UNAUTHORIZED', { message: 'The signature does not verify for this wallet and nonce.' })
}
