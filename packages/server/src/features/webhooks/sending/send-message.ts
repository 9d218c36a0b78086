import {
  createGuardedCall,
  excerptOf,
  type GuardedCallOptions,
} from '../../../platform/outbound/guarded-call.ts'
import type { OutgoingMessage } from '../../../platform/outbound/guarded-request.ts'
import { isReachable } from '../../../platform/outbound/public-address.ts'

const TIMEOUT_MS = 5_000
const MAX_READ_BYTES = 1_024
const MAX_EXCERPT_CHARACTERS = 200

/** What came back: a response, with the beginning of its text when it is no success, or why there is none. */
export type SendResult =
  | { kind: 'response'; status: number; excerpt: string }
  | { kind: 'failure'; why: string }

export type SendMessage = (message: OutgoingMessage) => Promise<SendResult>

export interface SenderOptions extends Pick<GuardedCallOptions, 'allowsLocal' | 'resolve'> {
  /** Whether the text of a response from this address may be shown to the owner; by default only from the public internet. */
  isQuotable?: (address: string) => boolean
  timeoutMs?: number | undefined
}

export function createSender({
  allowsLocal,
  resolve,
  isQuotable = (address) => isReachable(address, { allowsLocal: false }),
  timeoutMs = TIMEOUT_MS,
}: SenderOptions): SendMessage {
  const post = createGuardedCall({
    allowsLocal,
    resolve,
    timeoutMs,
    userAgent: 'agent-marketplace-webhooks/1.0',
    // Responses of services on this machine are not shown to owners: only the status is.
    readLimitBytes: ({ status, addresses }) =>
      addresses.every(isQuotable) && (status < 200 || status >= 300) ? MAX_READ_BYTES : 0,
  })
  return async (message) => {
    const result = await post(message)
    if (result.kind === 'failure') return result
    return {
      kind: 'response',
      status: result.status,
      excerpt: excerptOf(result.text, MAX_EXCERPT_CHARACTERS),
    }
  }
}
