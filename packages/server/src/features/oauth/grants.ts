import { AppError, type GrantScope } from '@agent-marketplace/contract'
import type { WantedBudget } from '../../house/budgets.ts'
import { createAuthenticating } from '../../house/credentials/authenticating.ts'
import { type CredentialBudgets, type WithBudget, withBudgets } from '../../house/credentials/credential.ts'
import { lockOwner } from '../../house/owner-record.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Arrival, Principal } from '../../platform/http/principal.ts'
import type { NewId } from '../../platform/id/id.ts'
import {
  findGrant,
  findTokenHolder,
  type GrantRow,
  grants,
  insertGrant,
  listOfClient,
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

export interface GrantsDeps {
  db: Database
  /** Real time: grants expire by it. */
  clock: Clock
  newId: NewId
  publicUrl: URL
  budgets: CredentialBudgets
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

/**
 * What owners allow clients. It promises: a token never does more than the owner's account, the grant's scopes and budget, and
 * its own resource and scopes allow; a grant that is revoked, or whose code or refresh token is used twice, stops at once, in
 * every process.
 */
export function createGrants(deps: GrantsDeps) {
  const { db, clock, publicUrl } = deps
  const authenticating = createAuthenticating({ ...deps, store: grants })

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
        if ((await grants.count(tx, ownerId, now)) >= MAX_GRANTS)
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

    list: async (ownerId: string): Promise<WithBudget<GrantRow>[]> =>
      withBudgets(db, deps.budgets, await grants.list(db, ownerId, clock.now())),

    async revoke(tx: Queryable, { id, ownerId }: { id: string; ownerId: string }): Promise<void> {
      const now = clock.now()
      const grant = await findGrant(tx, id, now)
      if (grant?.ownerId !== ownerId || !(await revokeGrant(tx, id, now)))
        throw new AppError('NOT_FOUND', { message: 'There is no such grant.' })
    },

    /** Undefined unless the token works now, for what the call addresses. */
    async authenticate(token: string, { clientAddress, route }: Arrival): Promise<Principal | undefined> {
      const hash = hashOf(token)
      const resource = resourceOfRoute(publicUrl, route)
      const holder = await authenticating.findArrived({
        fingerprint: `${Buffer.from(hash).toString('base64url')} ${resource}`,
        clientAddress,
        find: (now) => findTokenHolder(db, { hash, resource, now }),
      })
      if (!holder) return undefined
      const own = { sessionId: sessionIdOf(holder.id), expiresAt: holder.tokenExpiresAt }
      return {
        ...(await authenticating.principalOf(holder, own)),
        clientId: holder.clientId,
        scopes: knownScopes(holder.tokenScope).filter((scope) => holder.scopes.includes(scope)),
      }
    },

    isToken: isWellFormed,

    isLive: ({
      sessionId,
      accountStatus,
    }: Pick<Principal, 'sessionId' | 'accountStatus'>): Promise<boolean> =>
      authenticating.isLive(grantIdOf(sessionId), accountStatus),
  }
}

export type Grants = ReturnType<typeof createGrants>
