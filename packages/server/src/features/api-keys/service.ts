import { type ApiKeyScope, AppError } from '@agent-marketplace/contract'
import type { WantedBudget } from '../../house/budgets.ts'
import { createAuthenticating } from '../../house/credentials/authenticating.ts'
import { type CredentialBudgets, type WithBudget, withBudgets } from '../../house/credentials/credential.ts'
import { lockOwner } from '../../house/owner-record.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { NewId } from '../../platform/id/id.ts'
import {
  ENTERPRISE_RATE_FACTOR,
  hashKey,
  isKeySession,
  isWellFormed,
  keyIdOf,
  MAX_KEYS,
  makeKey,
  RATE_FACTOR,
  sessionIdOf,
} from './rules.ts'
import { type ApiKeyRow, findHolderByHash, insertKey, keys, revokeKey } from './store.ts'

const DAY_SECONDS = 24 * 3600
const NEVER = new Date('9999-12-31T23:59:59.999Z')

/**
 * Keys for programs. It promises: a key is shown once and kept as a hash; a revoked one stops at once, in every process;
 * a key never does more than its owner's account, its own scopes and its budget allow, and never makes another key.
 */
export interface ApiKeysDeps {
  db: Database
  /** Real time: keys expire by it. */
  clock: Clock
  newId: NewId
  /** Whether a plan with API access is open to the owner: their keys have higher limits. */
  hasApiAccess: (db: Queryable, ownerId: string) => Promise<boolean>
  hasEnterprise: (db: Queryable, ownerId: string) => Promise<boolean>
  budgets: CredentialBudgets
  /** Off where rate limits are. */
  areGuessesLimited: boolean
}

export interface WantedKey extends WantedBudget {
  name: string
  scopes?: readonly ApiKeyScope[] | undefined
  expiresInDays?: number | undefined
}

/** What a key may do that names no scopes. */
const defaultScopes: readonly ApiKeyScope[] = ['read', 'write']

export function createApiKeysService(deps: ApiKeysDeps) {
  const { db, clock, newId, hasApiAccess, hasEnterprise } = deps

  /** How many times the usual limits the owner's programs have. */
  async function rateFactorOf(ownerId: string): Promise<number> {
    if (await hasEnterprise(db, ownerId)) return ENTERPRISE_RATE_FACTOR
    return (await hasApiAccess(db, ownerId)) ? RATE_FACTOR : 1
  }

  const authenticating = createAuthenticating({ ...deps, rateFactorOf, store: keys })

  return {
    rateFactorOf,

    async create(
      principal: Principal,
      wanted: WantedKey,
    ): Promise<{ row: WithBudget<ApiKeyRow>; key: string }> {
      const { ownerId } = principal
      if (isKeySession(principal.sessionId)) {
        throw new AppError('FORBIDDEN', {
          message: 'An API key cannot create API keys. Sign in with your wallet.',
        })
      }
      const { key, prefix, hash } = makeKey()
      const now = clock.now()
      const { name, scopes = defaultScopes, expiresInDays } = wanted
      const [row] = await db.transaction(async (tx) => {
        await lockOwner(tx, ownerId)
        if ((await keys.count(tx, ownerId, now)) >= MAX_KEYS) {
          throw new AppError('CONFLICT', { message: `You have ${MAX_KEYS} keys: revoke one first.` })
        }
        const id = newId()
        await deps.budgets.create(tx, { ...wanted, id, ownerId })
        const made = await insertKey(tx, {
          id,
          ownerId,
          name,
          prefix,
          hash,
          scopes: [...new Set(scopes)],
          createdAt: now,
          expiresAt: expiresInDays === undefined ? null : addSeconds(now, expiresInDays * DAY_SECONDS),
        })
        return withBudgets(tx, deps.budgets, [made])
      })
      if (!row) throw new Error('a key was made without its budget')
      return { row, key }
    },

    list: async (ownerId: string): Promise<WithBudget<ApiKeyRow>[]> =>
      withBudgets(db, deps.budgets, await keys.list(db, ownerId, clock.now())),

    async revoke(tx: Queryable, { id, ownerId }: { id: string; ownerId: string }): Promise<void> {
      if (await revokeKey(tx, { id, ownerId, now: clock.now() })) return
      throw new AppError('NOT_FOUND', { message: 'There is no such key.' })
    },

    /** Undefined unless the key works now. */
    async authenticate(key: string, clientAddress: string): Promise<Principal | undefined> {
      if (!isWellFormed(key)) return undefined
      const hash = hashKey(key)
      const holder = await authenticating.findArrived({
        fingerprint: Buffer.from(hash).toString('base64url'),
        clientAddress,
        find: (now) => findHolderByHash(db, hash, now),
      })
      if (!holder) return undefined
      const own = { sessionId: sessionIdOf(holder.id), expiresAt: holder.expiresAt ?? NEVER }
      return authenticating.principalOf(holder, own)
    },

    isLive: ({
      sessionId,
      accountStatus,
    }: Pick<Principal, 'sessionId' | 'accountStatus'>): Promise<boolean> =>
      authenticating.isLive(keyIdOf(sessionId), accountStatus),
  }
}

export type ApiKeysService = ReturnType<typeof createApiKeysService>
