import { MAX_BODY_BYTES, type SentJob } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import { createGuardedCall, type GuardedCallOptions } from '../../platform/outbound/guarded-call.ts'
import { signedHeaders } from '../../platform/outbound/signature.ts'
import { openSecrets } from '../../platform/outbound/signing-secrets.ts'
import type { Sealer } from '../../platform/sealing/sealer.ts'
import type { Reply } from './reply.ts'
import { readReply } from './rules.ts'
import type { ConnectionRow } from './store.ts'

/** Long enough for a short piece of work; agents that need longer return 202. */
export const TIMEOUT_MS = 30_000

export interface CallDeps extends Pick<GuardedCallOptions, 'allowsLocal' | 'resolve'> {
  /** Agents compare the time of a message with their own. */
  wallClock: Clock
  sealer: Sealer
  timeoutMs?: number | undefined
}

/** What was sent, and what came back. */
export interface AgentCall {
  headers: Record<string, string>
  status: number | null
  text: string | null
  reply: Reply
}

/** Earlier tasks of the same job, for agents that work in tasks. */
export interface Thread {
  messageId: string
  contextId: string | null
  /** Polled before the job is sent again. */
  liveTaskId: string | null
  referenceTaskIds: string[]
}

export type CallAgent = (connection: ConnectionRow, message: SentJob, thread: Thread) => Promise<AgentCall>

export const noResponse = (error: string): AgentCall => ({
  headers: {},
  status: null,
  text: null,
  reply: { kind: 'FAILURE', status: null, error },
})

/** Sends a job to an agent of kind HTTP: one signed POST. Another kind is another function of this type. */
export function createHttpCall({
  wallClock,
  sealer,
  timeoutMs = TIMEOUT_MS,
  ...options
}: CallDeps): CallAgent {
  const post = createGuardedCall({
    ...options,
    timeoutMs,
    userAgent: 'agent-marketplace-jobs/1.0',
    readLimitBytes: () => MAX_BODY_BYTES,
  })
  return async ({ agentId, url, sealedSecret, ...sealed }, message) => {
    const now = wallClock.now()
    const secrets =
      sealedSecret === null ? undefined : openSecrets({ id: agentId, sealedSecret, ...sealed }, sealer, now)
    if (secrets === undefined) return noResponse('The secret cannot be read. Make a new one.')
    const body = JSON.stringify(message)
    const timestampSeconds = Math.floor(now.getTime() / 1000)
    const headers = signedHeaders({ eventId: message.id, timestampSeconds, body }, secrets)
    const result = await post({ url, headers, body })
    const { status, text } = result.kind === 'response' ? result : { status: null, text: null }
    return { headers, status, text, reply: readReply(result) }
  }
}
