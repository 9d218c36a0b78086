import { AppError, type ConnectionKind, type ConnectionTest, invalidField } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { RateLimiter } from '../../platform/http/limits/rate-limit.ts'
import type { NewId } from '../../platform/id/id.ts'
import { newSecret } from '../../platform/outbound/signature.ts'
import { OLD_SECRET_SECONDS, openNewSecret } from '../../platform/outbound/signing-secrets.ts'
import { checkUrl } from '../../platform/outbound/target-url.ts'
import type { Sealer } from '../../platform/sealing/sealer.ts'
import type { CallAgent } from './call-agent.ts'
import { type DispatchRow, listDispatches, stopDispatchesOf } from './dispatching/dispatch-store.ts'
import { REMOVED } from './dispatching/dispatches.ts'
import { type SampleService, sampleJob } from './message.ts'
import { type DeliveredWork, judge, readReply } from './rules.ts'
import type { ConnectionRow } from './store.ts'
import * as store from './store.ts'

const SHOWN_DISPATCHES = 20
const TESTS_PER_MINUTE = 10
const TEST_DEADLINE_SECONDS = 3600
const MAX_SHOWN_CHARACTERS = 4_000

interface OwnAgent {
  id: string
  ownerId: string
}

export interface ConnectionsDeps {
  db: Database
  clock: Clock
  wallClock: Clock
  newId: NewId
  limiter: Pick<RateLimiter, 'hit'>
  rateLimitsEnforced: boolean
  sealer: Sealer
  allowsLocal: boolean
  callAgent: Record<ConnectionRow['kind'], CallAgent>
  agentOf: (db: Queryable, wallet: string) => Promise<OwnAgent | undefined>
  /** What the agent offers, for a sample job. */
  offerOf: (wallet: string, ownerId: string) => Promise<{ category: string; services: SampleService[] }>
  /** Throws where a delivery does not fit the schema. */
  checkDelivery: (work: DeliveredWork, outputSchema: Record<string, unknown> | null) => void
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
 * when it is made, and never again; and no URL makes this service speak to anything but the public internet.
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

  async function remove(tx: Transaction, agentId: string): Promise<void> {
    await stopDispatchesOf(tx, agentId, REMOVED)
    await store.deleteConnection(tx, agentId)
  }

  /** Returns the sealed secret where it is new. */
  async function connect(
    tx: Transaction,
    agentId: string,
    { kind, url, isNewSecret }: { kind: ConnectionRow['kind']; url: string; isNewSecret: boolean },
  ): Promise<string | null> {
    const sealedSecret = sealer.seal(newSecret(), agentId)
    const connection = { agentId, kind, url, sealedSecret, createdAt: clock.now() }
    if (await store.insertConnection(tx, connection)) return sealedSecret
    await store.saveTarget(tx, { agentId, kind, url })
    if (!isNewSecret) return null
    const oldUntil = addSeconds(deps.wallClock.now(), OLD_SECRET_SECONDS)
    await store.saveSecret(tx, agentId, { sealed: sealedSecret, oldUntil })
    return sealedSecret
  }

  async function countTest(ownerId: string): Promise<void> {
    if (!deps.rateLimitsEnforced) return
    const verdict = await deps.limiter.hit(`connection-test:${ownerId}`, TESTS_PER_MINUTE)
    if (verdict.allowed) return
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `An account sends at most ${TESTS_PER_MINUTE} test jobs a minute.`,
      details: { limit: TESTS_PER_MINUTE, retryAfterSeconds: verdict.retryAfterSeconds },
    })
  }

  return {
    read: async (own: OwnersAgent): Promise<Connected> => read(db, (await agentOf(db, own)).id),

    async set(
      tx: Transaction,
      own: OwnersAgent,
      { kind, url, newSecret: isNewSecret = false }: ConnectionChange,
    ): Promise<Connected & { sealedSecret: string | null }> {
      const { id } = await agentOf(tx, own)
      if (kind === 'MANUAL') {
        if (url !== undefined) throw invalidField('/url', 'does not go with MANUAL')
        await remove(tx, id)
        return { ...(await read(tx, id)), sealedSecret: null }
      }
      if (url === undefined) throw invalidField('/url', `is required for ${kind}`)
      const target = { kind, url: checkUrl(url, { allowsLocal }), isNewSecret }
      const sealedSecret = await connect(tx, id, target)
      return { ...(await read(tx, id)), sealedSecret }
    },

    /** Opens what `set` has sealed, for its response and nothing else. */
    async secretsOf(own: OwnersAgent): Promise<(sealed: string) => string> {
      const { id } = await agentOf(db, own)
      return (sealed) => openNewSecret(sealed, id, sealer)
    },

    async remove(tx: Transaction, own: OwnersAgent): Promise<Connected> {
      const { id } = await agentOf(tx, own)
      await remove(tx, id)
      return read(tx, id)
    },

    /** Waits for the agent. Nothing is kept of it but how the call went. */
    async test(own: OwnersAgent): Promise<ConnectionTest> {
      const { id: agentId } = await agentOf(db, own)
      const connection = await store.findConnection(db, agentId)
      if (!connection)
        throw new AppError('INVALID_STATE', {
          message: 'The agent has no connection to test.',
          details: { status: 'MANUAL', allowed: ['HTTP'] },
        })
      await countTest(own.ownerId)
      const offer = await deps.offerOf(own.wallet, own.ownerId)
      const ids = { id: `test_${deps.newId()}`, jobId: deps.newId() }
      const body = sampleJob(ids, offer, addSeconds(clock.now(), TEST_DEADLINE_SECONDS))
      const startedMs = performance.now()
      const { headers, result } = await deps.callAgent[connection.kind](connection, body)
      const durationMs = Math.round(performance.now() - startedMs)
      const { ok, verdict } = judge(readReply(result), (work) =>
        deps.checkDelivery(work, body.job.outputSchema),
      )
      const responseStatus = result.kind === 'response' ? result.status : null
      const error = ok ? null : verdict
      await store.saveCall(db, agentId, { at: clock.now(), responseStatus, error })
      return {
        ok,
        verdict,
        request: { url: connection.url, headers, body },
        status: responseStatus,
        response: result.kind === 'response' ? result.text.slice(0, MAX_SHOWN_CHARACTERS) : null,
        durationMs,
      }
    },
  }
}

export type ConnectionsService = ReturnType<typeof createConnectionsService>

export interface ConnectionChange {
  kind: ConnectionKind
  url?: string | undefined
  newSecret?: boolean | undefined
}
