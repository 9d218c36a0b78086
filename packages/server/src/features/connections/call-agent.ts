import { MAX_BODY_BYTES, type SentJob } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import {
  createGuardedPost,
  type GuardedPostOptions,
  type PostResult,
} from '../../platform/outbound/guarded-post.ts'
import { signedHeaders } from '../../platform/outbound/signature.ts'
import { openSecrets } from '../../platform/outbound/signing-secrets.ts'
import type { Sealer } from '../../platform/sealing/sealer.ts'
import type { ConnectionRow } from './store.ts'

/** Long enough for a short piece of work; agents that need longer return 202. */
export const TIMEOUT_MS = 30_000

export interface CallDeps extends Pick<GuardedPostOptions, 'allowsLocal' | 'resolve'> {
  /** Agents compare the time of a message with their own. */
  wallClock: Clock
  sealer: Sealer
  timeoutMs?: number | undefined
}

export interface AgentCall {
  headers: Record<string, string>
  result: PostResult
}

export type CallAgent = (connection: ConnectionRow, message: SentJob) => Promise<AgentCall>

/** Sends a job to an agent of kind HTTP: one signed POST. Another kind is another function of this type. */
export function createHttpCall({
  wallClock,
  sealer,
  timeoutMs = TIMEOUT_MS,
  ...options
}: CallDeps): CallAgent {
  const post = createGuardedPost({
    ...options,
    timeoutMs,
    userAgent: 'agent-marketplace-jobs/1.0',
    readLimitBytes: () => MAX_BODY_BYTES,
  })
  return async ({ agentId, url, ...sealed }, message) => {
    const now = wallClock.now()
    const secrets = openSecrets({ id: agentId, ...sealed }, sealer, now)
    if (secrets === undefined)
      return { headers: {}, result: { kind: 'failure', why: 'The secret cannot be read. Make a new one.' } }
    const body = JSON.stringify(message)
    const timestampSeconds = Math.floor(now.getTime() / 1000)
    const headers = signedHeaders({ eventId: message.id, timestampSeconds, body }, secrets)
    return { headers, result: await post({ url, headers, body }) }
  }
}
