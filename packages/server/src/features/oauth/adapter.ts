import type { Adapter, AdapterPayload, errors } from 'oidc-provider'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { findGrant } from './grants-store.ts'
import {
  consumeRecord,
  countRecords,
  findRecord,
  keepNewest,
  removeOfGrant,
  removeOldest,
  removeRecord,
  saveRecord,
} from './records-store.ts'
import { revokeGrant } from './revocation.ts'
import {
  hashOf,
  isProtectedRedirect,
  lifetimes,
  MAX_CLIENT_BYTES,
  MAX_TOKENS_OF_GRANT,
  mostAtOnce,
} from './rules.ts'

export interface AdapterDeps {
  db: Database
  clock: Clock
  errors: typeof errors
}

/** What the provider keeps, in PostgreSQL: under the hash of its value, within bounds, and until it expires by our clock. */
export function createAdapter(deps: AdapterDeps): (model: string) => Adapter {
  return (model) => {
    if (model === 'Grant') return createGrantAdapter(deps)
    // Who is signed in is known by the session of the page; the provider keeps none of its own.
    if (model === 'Session') return nothing
    return createRecordAdapter(model, deps)
  }
}

const none = async (): Promise<undefined> => undefined
const nothing: Adapter = {
  upsert: none,
  find: none,
  findByUid: none,
  findByUserCode: none,
  consume: none,
  destroy: none,
  revokeByGrantId: none,
}

function createRecordAdapter(model: string, { db, clock, errors }: AdapterDeps): Adapter {
  const keyOf = (id: string) => ({ model, hash: hashOf(id) })

  function checkClient(payload: AdapterPayload): void {
    if (JSON.stringify(payload).length > MAX_CLIENT_BYTES)
      throw new errors.InvalidClientMetadata('the metadata is too large')
    if (!payload.redirect_uris?.every(isProtectedRedirect))
      throw new errors.InvalidRedirectUri('only https, or http on the same computer')
  }

  /** Who comes last gets in: otherwise those who fill the room keep everybody else out. */
  async function makeRoom(payload: AdapterPayload): Promise<void> {
    const most = model === 'Client' || model === 'Interaction' ? mostAtOnce[model] : undefined
    if (most === undefined || payload.result) return
    const now = clock.now()
    if ((await countRecords(db, model, most, now)) < most) return
    if (await removeOldest(db, model, addSeconds(now, lifetimes.afterGrant))) return
    throw new errors.TemporarilyUnavailable('there are too many, try again later')
  }

  return {
    ...nothing,

    async upsert(id, { jti: _jti, ...payload }, expiresIn = lifetimes.registration) {
      if (model === 'Client') checkClient(payload)
      await makeRoom(payload)
      const now = clock.now()
      const grantId = payload.grantId ?? null
      await saveRecord(db, {
        ...keyOf(id),
        grantId,
        payload,
        now,
        expiresAt: addSeconds(now, expiresIn),
      })
      if (grantId !== null) await keepNewest(db, { model, grantId, most: MAX_TOKENS_OF_GRANT })
    },

    async find(id) {
      const now = clock.now()
      const row = await findRecord(db, keyOf(id), now)
      if (!row) return undefined
      if (model === 'Client') return withoutScope(row.payload)
      const { expiresAt, consumedAt } = row
      const consumed = consumedAt === null ? {} : { consumed: Math.floor(consumedAt.getTime() / 1000) }
      return { ...row.payload, jti: id, exp: expiryFor(expiresAt, now), ...consumed }
    },

    /** A second use at the same moment is one too many: the grant ends, as it does when it comes later. */
    async consume(id) {
      const now = clock.now()
      if (await consumeRecord(db, keyOf(id), now)) return
      const row = await findRecord(db, keyOf(id), now)
      if (typeof row?.payload.grantId === 'string') await revoke(db, row.payload.grantId, now)
      throw new errors.InvalidGrant('it was used before')
    },

    destroy: (id) => removeRecord(db, keyOf(id)),
    revokeByGrantId: (grantId) => removeOfGrant(db, grantId),
  }
}

/** What a client named when it registered does not limit what it may ask for later: the owner decides. */
function withoutScope({ scope: _scope, ...client }: Record<string, unknown>): AdapterPayload {
  return client
}

/** Grants are read from where owners see them. They are made by consent alone. */
function createGrantAdapter({ db, clock }: AdapterDeps): Adapter {
  return {
    ...nothing,
    async find(id) {
      const now = clock.now()
      const grant = await findGrant(db, id, now)
      if (!grant) return undefined
      return {
        jti: id,
        kind: 'Grant',
        accountId: grant.ownerId,
        clientId: grant.clientId,
        resources: { [grant.resource]: grant.scopes.join(' ') },
        exp: expiryFor(grant.expiresAt, now),
      }
    },
    destroy: async (id) => void (await revoke(db, id, clock.now())),
  }
}

const revoke = (db: Database, grantId: string, now: Date): Promise<boolean> =>
  db.transaction((tx) => revokeGrant(tx, grantId, now))

/** The provider reads the time of the machine, so it gets what is left by our clock. */
const expiryFor = (expiresAt: Date, now: Date): number =>
  Math.floor((Date.now() + expiresAt.getTime() - now.getTime()) / 1000)
