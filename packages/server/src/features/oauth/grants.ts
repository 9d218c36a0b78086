import { AppError, type Budget, type GrantScope } from '@agent-marketplace/contract'
import type { WantedBudget } from '../../house/budgets.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { createTokenGuesses } from '../../platform/http/limits/token-guesses.ts'
import type { Arrival, Principal } from '../../platform/http/principal.ts'
import { type NewId, randomAlphanumeric } from '../../platform/id/id.ts'
import {
  countGrants,
  findGrant,
  findHolder,
  findTokenHolder,
  type GrantRow,
  insertGrant,
  listGrants,
  listOfClient,
  lockOwner,
  saveUsed,
} from './grants-store.ts'
import { consumeRecord, keepUntil } from './records-store.ts'
import { revokeGrant } from './revocation.ts'
import {
  grantIdOf,
  hashOf,
  isWellFormed,
  knownScopes,
  lifetimes,
  MAX_GRANTS,
  resourceOfRoute,
  sessionIdOf,
} from './rules.ts'

const MINUTE_MS = 60_000

export interface GrantsDeps {
  db: Database
  /** Real time: grants expire by it. */
  clock: Clock
  newId: NewId
  publicUrl: URL
  budgets: {
    create(tx: Transaction, budget: WantedBudget & { id: string; ownerId: string }): Promise<void>
    present(db: Queryable, ids: readonly string[]): Promise<Map<string, Budget>>
  }
  /** How many times the usual limits the owner's programs have. */
  rateFactorOf: (ownerId: string) => Promise<number>
  /** Off where rate limits are. */
  areGuessesLimited: boolean
}

export interface WantedGrant extends WantedBudget {
  ownerId: string
  clientId: string
  clientName: string
  clientHost: string
  resource: string
  scopes: GrantScope[]
  expiresAt: Date
  /** Whether what the client was allowed before ends, so that budgets do not add up. */
  replaces: boolean
}

export const noRequest = () =>
  new AppError('NOT_FOUND', {
    message: 'This request has expired, was decided already, or began in another browser. Connect again.',
  })

export interface GrantWithBudget extends GrantRow {
  budget: Budget
}

/**
 * What owners allow clients. It promises: a token never does more than the owner's account, the grant's scopes and budget, and
 * its own resource and scopes allow; a grant that is revoked, or whose code or refresh token is used twice, stops at once, in
 * every process.
 */
export function createGrants(deps: GrantsDeps) {
  const { db, clock, publicUrl } = deps
  const guesses = createTokenGuesses({ clock, areLimited: deps.areGuessesLimited })

  async function takeRequest(queryable: Queryable, requestId: string): Promise<void> {
    const request = { model: 'Interaction', hash: hashOf(requestId) }
    if (!(await consumeRecord(queryable, request, clock.now()))) throw noRequest()
  }

  return {
    /** Decides the request, which nobody can do twice. */
    takeRequest: (requestId: string): Promise<void> => takeRequest(db, requestId),

    /** How many grants the client has already. */
    countOf: async (of: Pick<WantedGrant, 'ownerId' | 'clientId' | 'resource'>): Promise<number> =>
      (await listOfClient(db, of, clock.now())).length,

    async create(requestId: string, wanted: WantedGrant): Promise<string> {
      const { ownerId, clientId, clientName, clientHost, resource, scopes, expiresAt } = wanted
      const id = deps.newId()
      const now = clock.now()
      await db.transaction(async (tx) => {
        await takeRequest(tx, requestId)
        await lockOwner(tx, ownerId)
        if (wanted.replaces)
          for (const earlier of await listOfClient(tx, wanted, now)) await revokeGrant(tx, earlier, now)
        if ((await countGrants(tx, ownerId, now)) >= MAX_GRANTS)
          throw new AppError('CONFLICT', {
            message: `You have allowed ${MAX_GRANTS} clients: revoke one first.`,
          })
        await deps.budgets.create(tx, { ...wanted, id })
        await insertGrant(tx, {
          id,
          ownerId,
          clientId,
          clientName,
          clientHost,
          resource,
          scopes,
          createdAt: now,
          expiresAt,
        })
        const client = { model: 'Client', hash: hashOf(clientId) }
        await keepUntil(tx, client, addSeconds(expiresAt, lifetimes.afterGrant))
      })
      return id
    },

    async list(ownerId: string): Promise<GrantWithBudget[]> {
      const grants = await listGrants(db, ownerId, clock.now())
      const budgets = await deps.budgets.present(
        db,
        grants.map(({ id }) => id),
      )
      return grants.flatMap((grant) => {
        const budget = budgets.get(grant.id)
        return budget ? { ...grant, budget } : []
      })
    },

    async revoke(tx: Queryable, { id, ownerId }: { id: string; ownerId: string }): Promise<void> {
      const now = clock.now()
      const grant = await findGrant(tx, id, now)
      if (grant?.ownerId !== ownerId || !(await revokeGrant(tx, id, now)))
        throw new AppError('NOT_FOUND', { message: 'There is no such grant.' })
    },

    /** Undefined unless the token works now, for what the call addresses. */
    async authenticate(token: string, { clientAddress, route }: Arrival): Promise<Principal | undefined> {
      const now = clock.now()
      const hash = hashOf(token)
      const resource = resourceOfRoute(publicUrl, route)
      const name = `${Buffer.from(hash).toString('base64url')} ${resource}`
      if (guesses.isMissing(name)) return undefined
      guesses.checkAddress(name, clientAddress)
      const holder = await findTokenHolder(db, { hash, resource, now })
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
        expiresAt: holder.tokenExpiresAt,
        // A token that arrives as a cookie can never show this: only its Bearer form may change things.
        csrfToken: randomAlphanumeric(32),
        kycStatus: holder.kycStatus,
        kycFeePaid: holder.kycFeePaid,
        isAdmin: false,
        accountStatus: holder.accountStatus,
        clientId: holder.clientId,
        scopes: knownScopes(holder.tokenScope).filter((scope) => holder.scopes.includes(scope)),
        rateFactor: await deps.rateFactorOf(holder.ownerId),
        budget: { id: holder.id, isCapped: holder.isCapped },
      }
    },

    isToken: isWellFormed,

    /** For connections that stay open: whether the grant still works, and the account is what it was when they were opened. */
    async isLive({
      sessionId,
      accountStatus,
    }: Pick<Principal, 'sessionId' | 'accountStatus'>): Promise<boolean> {
      const holder = await findHolder(db, grantIdOf(sessionId), clock.now())
      return holder?.accountStatus === accountStatus && accountStatus !== 'DEACTIVATED'
    },
  }
}

export type Grants = ReturnType<typeof createGrants>
