import { type ApiKeyScope, AppError, type Budget } from '@agent-marketplace/contract'
import type { WantedBudget } from '../../house/budgets.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { createTokenGuesses } from '../../platform/http/limits/token-guesses.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { type NewId, randomAlphanumeric } from '../../platform/id/id.ts'
import {
  ENTERPRISE_RATE_FACTOR,
  hashKey,
  isKeySession,
  isWellFormed,
  MAX_KEYS,
  makeKey,
  RATE_FACTOR,
  sessionIdOf,
} from './rules.ts'
import {
  type ApiKeyRow,
  countKeysLocked,
  findHolder,
  findHolderById,
  insertKey,
  listKeys,
  revokeKey,
  saveUsed,
} from './store.ts'

const DAY_SECONDS = 24 * 3600
const MINUTE_MS = 60_000
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
  budgets: {
    create(tx: Transaction, budget: WantedBudget & { id: string; ownerId: string }): Promise<void>
    present(db: Queryable, ids: readonly string[]): Promise<Map<string, Budget>>
  }
  /** Off where rate limits are. */
  areGuessesLimited: boolean
}

export interface WantedKey extends WantedBudget {
  name: string
  scopes?: readonly ApiKeyScope[] | undefined
  expiresInDays?: number | undefined
}

export interface KeyWithBudget extends ApiKeyRow {
  budget: Budget
}

/** What a key may do that names no scopes. */
const defaultScopes: readonly ApiKeyScope[] = ['read', 'write']

/** The owner of a key, and the limits that the pipeline must enforce. */
export interface KeyPrincipal extends Principal {
  scopes: readonly ApiKeyScope[]
  /** The rate limits are so many times those of a session. */
  rateFactor: number
}

export function createApiKeysService(deps: ApiKeysDeps) {
  const { db, clock, newId, hasApiAccess, hasEnterprise } = deps
  const guesses = createTokenGuesses({ clock, areLimited: deps.areGuessesLimited })

  async function withBudgets(queryable: Queryable, rows: readonly ApiKeyRow[]): Promise<KeyWithBudget[]> {
    const budgets = await deps.budgets.present(
      queryable,
      rows.map(({ id }) => id),
    )
    return rows.flatMap((row) => {
      const budget = budgets.get(row.id)
      return budget ? { ...row, budget } : []
    })
  }

  /** How many times the usual limits the owner's programs have. */
  async function rateFactorOf(ownerId: string): Promise<number> {
    if (await hasEnterprise(db, ownerId)) return ENTERPRISE_RATE_FACTOR
    return (await hasApiAccess(db, ownerId)) ? RATE_FACTOR : 1
  }

  return {
    rateFactorOf,

    async create(principal: Principal, wanted: WantedKey): Promise<{ row: KeyWithBudget; key: string }> {
      const { ownerId } = principal
      if (isKeySession(principal.sessionId)) {
        throw new AppError('FORBIDDEN', { message: 'A key makes no keys: sign in with your wallet.' })
      }
      const { key, prefix, hash } = makeKey()
      const now = clock.now()
      const { name, scopes = defaultScopes, expiresInDays } = wanted
      const [row] = await db.transaction(async (tx) => {
        if ((await countKeysLocked(tx, ownerId, now)) >= MAX_KEYS) {
          throw new AppError('CONFLICT', { message: `You have ${MAX_KEYS} keys: revoke one first.` })
        }
        const id = newId()
        // A key's budget has the key's id.
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
        return withBudgets(tx, [made])
      })
      if (!row) throw new Error('a key was made without its budget')
      return { row, key }
    },

    list: async (ownerId: string): Promise<KeyWithBudget[]> =>
      withBudgets(db, await listKeys(db, ownerId, clock.now())),

    async revoke(tx: Queryable, { id, ownerId }: { id: string; ownerId: string }): Promise<void> {
      if (await revokeKey(tx, { id, ownerId, now: clock.now() })) return
      throw new AppError('NOT_FOUND', { message: 'There is no such key.' })
    },

    /** Undefined unless the key works now. */
    async authenticate(key: string, clientAddress: string): Promise<KeyPrincipal | undefined> {
      if (!isWellFormed(key)) return undefined
      const now = clock.now()
      const hash = hashKey(key)
      const name = Buffer.from(hash).toString('base64url')
      if (guesses.isMissing(name)) return undefined
      guesses.checkAddress(name, clientAddress)
      const holder = await findHolder(db, hash, now)
      if (!holder) {
        await guesses.missed(name, clientAddress)
        return undefined
      }
      guesses.found(name)
      const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)
      if (holder.lastUsedAt?.getTime() !== minute.getTime()) await saveUsed(db, holder.id, minute)
      return {
        ownerId: holder.ownerId,
        sessionId: sessionIdOf(holder.id),
        expiresAt: holder.expiresAt ?? NEVER,
        // A key that arrives as a cookie can never show this: only its Bearer form may change things.
        csrfToken: randomAlphanumeric(32),
        kycStatus: holder.kycStatus,
        kycFeePaid: holder.kycFeePaid,
        isAdmin: false,
        accountStatus: holder.accountStatus,
        scopes: holder.scopes,
        rateFactor: await rateFactorOf(holder.ownerId),
        budget: { id: holder.id, isCapped: holder.isCapped },
      }
    },

    /** For connections that stay open: whether the key still works, and the account is what it was when they were opened. */
    async isLive({
      sessionId,
      accountStatus,
    }: Pick<Principal, 'sessionId' | 'accountStatus'>): Promise<boolean> {
      const holder = await findHolderById(db, sessionId.slice(sessionIdOf('').length), clock.now())
      return holder?.accountStatus === accountStatus && accountStatus !== 'DEACTIVATED'
    },
  }
}

export type ApiKeysService = ReturnType<typeof createApiKeysService>
