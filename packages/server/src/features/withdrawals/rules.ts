import { createHash } from 'node:crypto'

/** After so many attempts it is not the window that was too short. */
export const MAX_ATTEMPTS = 5

/** How long one signature can be carried out. */
export const AUTHORIZATION_SECONDS = 3600

/**
 * The same for every attempt: the token carries out one authorization per nonce, so a withdrawal moves its money once,
 * whatever is signed, sent or sent again.
 */
export function authorizationNonceOf(withdrawalId: string): `0x${string}` {
  return `0x${createHash('sha256').update(`withdrawal:${withdrawalId}`).digest('hex')}`
}

export function intentKeyOf(withdrawalId: string, attempt: number): string {
  return `withdrawal:${withdrawalId}:${attempt}`
}

/** Refunds from one wallet go out one after another: while one is signed, the provider lets the wallet pay its payee. */
export const laneOf = (walletId: string, jobId: string | null): { lane?: string } =>
  jobId === null ? {} : { lane: `refund:${walletId}` }

/** Reasons of our own, beside the token's words. */
export const WALLET_REFUSED = 'WALLET_REFUSED'
export const HAS_ENDED = 'HAS_ENDED'
export const PAYMENT_GONE = 'PAYMENT_GONE'

export type Verdict = 'again' | 'moved' | 'failed'

/** Its time or its turn was over, or the chain gave no reason: the next attempt decides. */
const unluckyAttempt = /^GIVEN_UP$|^REVERTED$|authorization is expired/i

/**
 * What a rejected attempt means. `again`: a new signature may go out, which is safe because its nonce is the same.
 * `moved`: the nonce is used, and nothing but this withdrawal ever signs it, so another attempt has carried it out.
 */
export function verdictOf(reason: string, attempts: number): Verdict {
  if (/authorization is used/i.test(reason)) return 'moved'
  return unluckyAttempt.test(reason) && attempts < MAX_ATTEMPTS ? 'again' : 'failed'
}

const explanations: [pattern: RegExp, words: string][] = [
  [/paused/i, 'USDC transfers are paused by its issuer right now. Try again when they are open again.'],
  [
    /blacklisted/i,
    'The issuer of USDC has blocked the agent’s wallet or yours. Only the issuer can lift that.',
  ],
  [/exceeds balance/i, 'The agent’s wallet holds less than this amount by now.'],
  [/^WALLET_REFUSED$/, 'The agent’s wallet refused to sign: the amount is beyond the limits set for it.'],
  [/^PAYMENT_GONE$/, 'The payment is no longer on the chain, so there is nothing to return.'],
  [unluckyAttempt, 'The chain did not take the transfer in time, again and again. Try later.'],
]

/** Why it failed, for the owner. Nothing has left the wallet, and the sentence says so. */
export function failureInWords(reason: string): string {
  const known = explanations.find(([pattern]) => pattern.test(reason))
  return `${known?.[1] ?? 'The chain refused the transfer.'} Nothing has left the wallet.`
}
