import { AppError, type ConnectionTest } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Drain } from '../../../platform/http/drain.ts'
import type { RateLimiter } from '../../../platform/http/limits/rate-limit.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { FinishTrial } from '../a2a/trial.ts'
import type { CallAgent } from '../call-agent.ts'
import type { Probes } from '../liveness/probes.ts'
import { callbackOf, hashOfToken, type SampleService, sampleJob, testTokenOf } from '../message.ts'
import { judge } from '../rules.ts'
import type { ConnectionRow } from '../store.ts'
import { saveCall } from '../store.ts'
import { type LookUntil, untilStop } from './patience.ts'
import { TRIAL_ROOM_BYTES, type TrialCallbacksDeps } from './trial-callbacks.ts'
import { findTrial, insertTrial, lockTrial, type TrialRow } from './trial-store.ts'

const TESTS_PER_MINUTE = 10
const TEST_SECONDS = 15 * 60
const MAX_SHOWN_CHARACTERS = 4_000

export interface TestJobsDeps extends Pick<TrialCallbacksDeps, 'checkDelivery'> {
  db: Database
  clock: Clock
  newId: NewId
  limiter: Pick<RateLimiter, 'hit'>
  rateLimitsEnforced: boolean
  publicUrl: URL
  tokenSecret: string
  callAgent: Record<ConnectionRow['kind'], CallAgent>
  finishTrial: FinishTrial
  lookUntil: LookUntil
  drain: Pick<Drain, 'endOfWaits'>
  markSeen: Probes['markSeen']
  /** What the agent offers, for a sample job. */
  offerOf: (wallet: string, ownerId: string) => Promise<{ category: string; services: SampleService[] }>
}

/** Sends a sample job as a real one is sent, and waits a while for its result. No job is made and no money moves. */
export function createTestJobs(deps: TestJobsDeps) {
  const { db, clock, newId } = deps

  async function countTest(ownerId: string): Promise<void> {
    if (!deps.rateLimitsEnforced) return
    const verdict = await deps.limiter.hit(`connection-test:${ownerId}`, TESTS_PER_MINUTE)
    if (verdict.allowed) return
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `An account sends at most ${TESTS_PER_MINUTE} test jobs a minute.`,
      details: { limit: TESTS_PER_MINUTE, retryAfterSeconds: verdict.retryAfterSeconds },
    })
  }

  /** An A2A agent is polled for its task, and needs no callback. */
  function callbackFor({ kind }: ConnectionRow, { id, jobId }: { id: string; jobId: string }) {
    if (kind !== 'HTTP') return null
    return callbackOf(jobId, { publicUrl: deps.publicUrl, token: testTokenOf(id, deps.tokenSecret) })
  }

  return async (
    { wallet, ownerId }: { wallet: string; ownerId: string },
    connection: ConnectionRow,
  ): Promise<ConnectionTest> => {
    await countTest(ownerId)
    const { agentId } = connection
    const offer = await deps.offerOf(wallet, ownerId)
    const ids = { id: `test_${newId()}`, jobId: newId() }
    const { jobId } = ids
    const expiresAt = addSeconds(clock.now(), TEST_SECONDS)
    const callback = callbackFor(connection, ids)
    const body = sampleJob(ids, offer, expiresAt, callback)
    const { outputSchema } = body.job
    if (callback) {
      const tokenHash = hashOfToken(callback.token)
      await insertTrial(db, {
        jobId,
        agentId,
        tokenHash,
        outputSchema,
        roomBytes: TRIAL_ROOM_BYTES,
        expiresAt,
      })
    }
    const startedMs = performance.now()
    const thread = { messageId: ids.id, contextId: null, liveTaskId: null, referenceTaskIds: [] }
    const calling = deps.callAgent[connection.kind](connection, body, thread)
    const taken = await untilStop(deps.drain.endOfWaits, calling)
    const called = await deps.finishTrial(connection, taken, outputSchema)
    const { headers, reply, status } = called
    if (reply.kind === 'WORKING')
      await deps.lookUntil(await findTrial(db, jobId), hasDelivered, () => findTrial(db, jobId))
    const durationMs = Math.round(performance.now() - startedMs)

    const { heard, ...judged } = await db.transaction(async (tx) => {
      const trial = callback ? await lockTrial(tx, jobId) : undefined
      const verdict = judge(reply, (work) => deps.checkDelivery(work, outputSchema), trial)
      const error = verdict.ok ? null : verdict.verdict
      await saveCall(tx, agentId, { at: clock.now(), responseStatus: status, error })
      return { ...verdict, heard: trial }
    })
    if (judged.ok || judged.waiting) await deps.markSeen(agentId)
    return {
      ...judged,
      request: { url: connection.url, headers, body },
      status,
      response: called.text?.slice(0, MAX_SHOWN_CHARACTERS) ?? null,
      callback: heard ? reportOf(heard) : null,
      durationMs,
    }
  }
}

export type TestJobs = ReturnType<typeof createTestJobs>

/** Also true when the trial no longer exists: then there is nothing to wait for. */
const hasDelivered = (trial: TrialRow | undefined): boolean => trial?.work !== null

const reportOf = ({ progress, messages, files, work }: TrialRow): ConnectionTest['callback'] => ({
  progress,
  messages,
  files,
  delivery: work,
})
