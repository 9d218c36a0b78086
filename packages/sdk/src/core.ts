import type { Owner } from '@agent-marketplace/contract'
import type { DataOf } from './endpoints.ts'
import type { Signer, SigningRequest } from './signer.ts'

/** Who is signed in. Keep it to stay signed in over a restart; it is as secret as a password. */
export interface Session {
  /** What every call carries: the JWT or, where a cookie holds that, the CSRF token of the cookie's session. */
  token: string
  owner: Pick<Owner, 'id' | 'walletAddress' | 'kycStatus'>
  expiresAtMs: number
}

/** What every action gets as its first argument: the settings, and the little that a client remembers. */
export interface Core {
  baseUrl: string
  /** What the service calls itself, where that is not the address it is reached at. */
  publicUrl: string | undefined
  account: Signer | undefined
  apiKey: string | undefined
  /** The browser carries the session in its cookie; calls add the CSRF token, and no sign-in starts by itself. */
  usesCookie: boolean
  fetch: typeof fetch
  /** How long one attempt may take, and how long a live stream may stay silent. */
  timeoutMs: number
  retry: RetryPolicy
  clock: ClientClock
  /** From 0 to 1, for the spread of waiting times. */
  random: () => number
  newKey: () => string
  onSession: (session: Session | undefined) => void
  onSign: (request: SigningRequest) => void | Promise<void>
  memory: Memory
}

export interface RetryPolicy {
  /** How often a call is sent at most. */
  attempts: number
  /** The longest wait before the second attempt; it doubles with each one after that. */
  baseDelayMs: number
  maxDelayMs: number
  /** A service that asks for a longer pause than this is not waited for. */
  maxRetryAfterMs: number
}

export interface ClientClock {
  nowMs: () => number
  /** Rejects with the signal's reason when it is aborted. */
  sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>
}

export interface Memory {
  session: Session | undefined
  /** A sign-in under way: calls that need it at the same time share it. */
  signingIn: Promise<Session> | undefined
  config: Promise<DataOf<'getConfig'>> | undefined
  /** Signed payments whose outcome is not known, by what they pay for. They are sent again, never signed again. */
  openPayments: Map<string, string>
}
