import { SESSION_LIFETIME_SECONDS } from '@agent-marketplace/contract'
import { LRUCache } from 'lru-cache'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { csrfTokenOf } from '../../platform/http/access.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { randomAlphanumeric } from '../../platform/id/id.ts'
import { findLiveSession, insertSession, removeExpiredSessions, revokeSession } from './store.ts'
import type { Tokens } from './tokens.ts'

const MAX_CACHED_SESSIONS = 10_000
/** The longest that a change can go unnoticed, should its announcement be lost. */
const CACHE_LIFETIME_MS = 30_000

export interface Sessions {
  /** A new session of an owner who has proved who they are. */
  open(tx: Queryable, ownerId: string): Promise<{ token: string; csrfToken: string }>
  end(sessionId: string): Promise<void>
  removeExpired(signal: AbortSignal): Promise<void>
  authenticate(token: string): Promise<Principal | undefined>
  /** For connections that stay open: whether the session lives, and its account is what it was when they were opened. */
  isLive(opened: Pick<Principal, 'sessionId' | 'accountStatus'>): Promise<boolean>
  /** Calls back whenever a session, key, plan or account of the owner changes, in whatever process; undefined: of anybody. */
  onChange(listener: (ownerId: string | undefined) => void): void
  /** Forgets the owner's sessions in this process; the database notifies the other processes. */
  forgetOwner(ownerId: string): void
  close(): Promise<void>
}

export interface SessionsDeps {
  db: Database
  clock: Clock
  tokens: Tokens
  csrfKey: string
  isAdminWallet: (walletAddress: string) => boolean
}

/**
 * Whether a token's session is valid, and its principal. Principals are cached for a short time, and the database
 * announces every change of a session or its owner to all processes (triggers in 0001_foundation.sql).
 */
export async function createSessions(deps: SessionsDeps): Promise<Sessions> {
  const cached = new LRUCache<string, { principal: Principal; untilMs: number }>({
    max: MAX_CACHED_SESSIONS,
  })
  const listeners: ((ownerId: string | undefined) => void)[] = []
  let changes = 0
  /** While announcements cannot be received, every request reads its session from the database. */
  let hearsChanges = true

  function forgetOwner(ownerId: string): void {
    changes += 1
    for (const [sessionId, { principal }] of cached)
      if (principal.ownerId === ownerId) cached.delete(sessionId)
  }
  function forgetAll(): void {
    changes += 1
    cached.clear()
  }
  function announce(ownerId?: string): void {
    if (ownerId === undefined) forgetAll()
    else forgetOwner(ownerId)
    for (const listener of listeners) listener(ownerId)
  }
  const stopListening = await deps.db.listen(
    'session_changed',
    announce,
    () => {
      hearsChanges = true
      announce()
    },
    () => {
      hearsChanges = false
      forgetAll()
    },
  )

  async function load(sessionId: string): Promise<Principal | undefined> {
    const row = await findLiveSession(deps.db, sessionId, deps.clock.now())
    if (!row) return undefined
    return {
      ownerId: row.ownerId,
      sessionId: row.id,
      expiresAt: row.expiresAt,
      csrfToken: csrfTokenOf(row.id, deps.csrfKey),
      kycStatus: row.kycStatus,
      kycFeePaid: row.kycFeePaid,
      isAdmin: deps.isAdminWallet(row.walletAddress),
      accountStatus: row.accountStatus,
    }
  }

  return {
    async open(tx, ownerId) {
      const sessionId = randomAlphanumeric(32)
      const issuedAt = deps.clock.now()
      const expiresAt = addSeconds(issuedAt, SESSION_LIFETIME_SECONDS)
      await insertSession(tx, { id: sessionId, ownerId, now: issuedAt, expiresAt })
      const token = await deps.tokens.sign({ sessionId, ownerId, issuedAt, expiresAt })
      return { token, csrfToken: csrfTokenOf(sessionId, deps.csrfKey) }
    },
    end: async (sessionId) => void (await revokeSession(deps.db, sessionId, deps.clock.now())),
    removeExpired: (signal) => removeExpiredSessions(deps.db, deps.clock.now(), signal),
    forgetOwner,
    onChange: (listener) => void listeners.push(listener),
    async isLive({ sessionId, accountStatus }) {
      const row = await findLiveSession(deps.db, sessionId, deps.clock.now())
      return row?.accountStatus === accountStatus && accountStatus !== 'DEACTIVATED'
    },
    async authenticate(token) {
      const claims = await deps.tokens.verify(token)
      if (!claims) return undefined
      const nowMs = deps.clock.now().getTime()
      const known = cached.get(claims.sessionId)
      if (known && known.untilMs > nowMs) return known.principal
      const changesBefore = changes
      const principal = await load(claims.sessionId)
      if (!principal) return undefined
      // A change announced while the row was read may be missing from it: such a principal serves this request only.
      if (hearsChanges && changes === changesBefore)
        cached.set(claims.sessionId, { principal, untilMs: nowMs + CACHE_LIFETIME_MS })
      return principal
    },
    close: stopListening,
  }
}
