import { AppError, type ConnectionKind, type ConnectionTest, invalidField } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import { newSecret } from '../../platform/outbound/signature.ts'
import { OLD_SECRET_SECONDS, openNewSecret } from '../../platform/outbound/signing-secrets.ts'
import { checkUrl } from '../../platform/outbound/target-url.ts'
import type { Sealer } from '../../platform/sealing/sealer.ts'
import { listDispatches, stopDispatchesOf } from './dispatching/dispatch-lists.ts'
import type { DispatchRow } from './dispatching/dispatch-store.ts'
import { disconnectedNotice } from './dispatching/notices.ts'
import { REMOVED } from './dispatching/readiness.ts'
import type { ProbesDeps } from './liveness/probes.ts'
import { FIRST_PROBE_SECONDS } from './liveness/rules.ts'
import type { ConnectionRow } from './store.ts'
import * as store from './store.ts'
import type { TestJobs } from './trials/test-jobs.ts'

const SHOWN_DISPATCHES = 20

interface OwnAgent {
  id: string
  ownerId: string
}

export interface ConnectionsDeps {
  db: Database
  clock: Clock
  notify: Notify
  wallClock: Clock
  sealer: Sealer
  allowsLocal: boolean
  testJob: TestJobs
  lockAgent: (tx: Queryable, agentId: string) => Promise<unknown>
  saveOnline: ProbesDeps['saveOnline']
  agentOf: (db: Queryable, wallet: string) => Promise<OwnAgent | undefined>
}

export interface OwnersAgent {
  wallet: string
  ownerId: string
}

export interface Connected {
  connection: ConnectionRow | undefined
  dispatches: DispatchRow[]
}

/**
 * How agents get their work. It promises: only its owner sees and sets an agent's connection; the secret leaves the service
 * when it is made, and never again; and no URL makes this service call anything but the public internet.
 */
export function createConnectionsService(deps: ConnectionsDeps) {
  const { db, clock, sealer, allowsLocal } = deps

  /** Agents are public, so another's is forbidden rather than unknown. */
  async function agentOf(queryable: Queryable, { wallet, ownerId }: OwnersAgent): Promise<OwnAgent> {
    const agent = await deps.agentOf(queryable, wallet)
    if (!agent) throw new AppError('NOT_FOUND', { message: 'There is no agent with this wallet.' })
    if (agent.ownerId !== ownerId)
      throw new AppError('FORBIDDEN', { message: 'This agent belongs to someone else.' })
    return agent
  }

  const read = async (queryable: Queryable, agentId: string): Promise<Connected> => ({
    connection: await store.findConnection(queryable, agentId),
    dispatches: await listDispatches(queryable, agentId, SHOWN_DISPATCHES),
  })

  async function remove(tx: Transaction, agentId: string, { ownerId, wallet }: OwnersAgent): Promise<void> {
    await deps.lockAgent(tx, agentId)
    await deps.saveOnline(tx, agentId, null)
    const stopped = await stopDispatchesOf(tx, agentId, REMOVED)
    await store.deleteConnection(tx, agentId)
    if (stopped > 0) await deps.notify(tx, disconnectedNotice(ownerId, wallet, stopped))
  }

  /** What is kept sealed of a connection, from what it had and what is requested. */
  function sealedFor(
    agentId: string,
    existing: ConnectionRow | undefined,
    { kind, url, newSecret: isNewSecret = false, token }: ConnectionChange & Target,
  ): Sealed {
    const seal = (text: string) => sealer.seal(text, agentId)
    if (kind === 'A2A') {
      if (isNewSecret) throw invalidField('/newSecret', 'does not go with A2A')
      // A token is for the origin that it was given for.
      const isSameOrigin = existing && new URL(existing.url).origin === new URL(url).origin
      const kept = isSameOrigin ? existing.sealedToken : null
      return { ...nothingSealed, sealedToken: token === undefined ? kept : token && seal(token) }
    }
    if (token !== undefined && token !== null) throw invalidField('/token', 'does not go with HTTP')
    const { sealedSecret = null, sealedOldSecret = null, oldSecretUntil = null } = existing ?? {}
    if (sealedSecret !== null && !isNewSecret)
      return { sealedSecret, sealedOldSecret, oldSecretUntil, sealedToken: null }
    const made = { ...nothingSealed, sealedSecret: seal(newSecret()) }
    if (sealedSecret === null) return made
    const oldUntil = addSeconds(deps.wallClock.now(), OLD_SECRET_SECONDS)
    return { ...made, sealedOldSecret: sealedSecret, oldSecretUntil: oldUntil }
  }

  /** Returns the sealed secret where it is new. */
  async function connect(
    tx: Transaction,
    agentId: string,
    change: ConnectionChange & Target,
  ): Promise<string | null> {
    await deps.lockAgent(tx, agentId)
    const existing = await store.findConnection(tx, agentId)
    const sealed = sealedFor(agentId, existing, change)
    const { kind, url } = change
    const now = clock.now()
    const nextProbeAt = addSeconds(now, FIRST_PROBE_SECONDS)
    // The recorded state belongs to another program.
    if (existing?.url !== url) await deps.saveOnline(tx, agentId, null)
    await store.saveConnection(tx, { agentId, kind, url, ...sealed, createdAt: now, nextProbeAt })
    return sealed.sealedSecret === existing?.sealedSecret ? null : sealed.sealedSecret
  }

  return {
    read: async (own: OwnersAgent): Promise<Connected> => read(db, (await agentOf(db, own)).id),

    async set(
      tx: Transaction,
      own: OwnersAgent,
      change: ConnectionChange,
    ): Promise<Connected & { sealedSecret: string | null }> {
      const { id } = await agentOf(tx, own)
      const { kind, url, token } = change
      if (kind === 'MANUAL') {
        if (url !== undefined) throw invalidField('/url', 'does not go with MANUAL')
        if (token !== undefined) throw invalidField('/token', 'does not go with MANUAL')
        await remove(tx, id, own)
        return { ...(await read(tx, id)), sealedSecret: null }
      }
      if (url === undefined) throw invalidField('/url', `is required for ${kind}`)
      const sealedSecret = await connect(tx, id, { ...change, kind, url: checkUrl(url, { allowsLocal }) })
      return { ...(await read(tx, id)), sealedSecret }
    },

    /** Opens what `set` has sealed, for its response and nothing else. */
    async secretsOf(own: OwnersAgent): Promise<(sealed: string) => string> {
      const { id } = await agentOf(db, own)
      return (sealed) => openNewSecret(sealed, id, sealer)
    },

    async remove(tx: Transaction, own: OwnersAgent): Promise<Connected> {
      const { id } = await agentOf(tx, own)
      await remove(tx, id, own)
      return read(tx, id)
    },

    /** Waits for the agent. What is kept of it for good is how the call went. */
    async test(own: OwnersAgent): Promise<ConnectionTest> {
      const { id: agentId } = await agentOf(db, own)
      const connection = await store.findConnection(db, agentId)
      if (!connection)
        throw new AppError('INVALID_STATE', {
          message: 'The agent has no connection to test.',
          details: { status: 'MANUAL', allowed: ['HTTP', 'A2A'] },
        })
      return deps.testJob(own, connection)
    },
  }
}

export type ConnectionsService = ReturnType<typeof createConnectionsService>

export interface ConnectionChange {
  kind: ConnectionKind
  url?: string | undefined
  newSecret?: boolean | undefined
  token?: string | null | undefined
}

type Target = Pick<ConnectionRow, 'kind' | 'url'>
type Sealed = Pick<ConnectionRow, 'sealedSecret' | 'sealedOldSecret' | 'oldSecretUntil' | 'sealedToken'>

const nothingSealed: Sealed = {
  sealedSecret: null,
  sealedOldSecret: null,
  oldSecretUntil: null,
  sealedToken: null,
}
