import type { Client, Hex } from 'viem'
import { keccakOfHex } from '../../hashing/keccak.ts'

/**
 * What a node said to a broadcast. `alreadyKnown` and `nonceTooLow` mean "look it up": the bytes may well be mined.
 * `unknown` means that the response was lost, and with it whether the node took them: only the chain can show it,
 * never a second payment.
 */
export type BroadcastResult = { hash: Hex } & (
  | { status: 'accepted' | 'alreadyKnown' }
  | { status: 'nonceTooLow' | 'underpriced' | 'insufficientFunds' | 'reverted' | 'rejected'; reason: string }
  | { status: 'unknown'; cause: unknown }
)

export const sendRawTransaction = async (
  client: Client,
  { rawTransaction }: { rawTransaction: Hex },
): Promise<BroadcastResult> => {
  const hash = keccakOfHex(rawTransaction)
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [rawTransaction] }, { retryCount: 0 })
    return { hash, status: 'accepted' }
  } catch (error) {
    const response = responseOf(error)
    const known = refusals.find(
      ([, pattern]) => response !== undefined && pattern.test(response.message),
    )?.[0]
    if (known === 'alreadyKnown') return { hash, status: known }
    if (response === undefined || (known === undefined && undecidedCodes.has(response.code))) {
      return { hash, status: 'unknown', cause: error }
    }
    return { hash, status: known ?? 'rejected', reason: response.message }
  }
}

// The wording of geth, reth, Nethermind, the OP stack and the devnet's machine.
const refusals = [
  ['alreadyKnown', /already ?known|known transaction|already imported|already exists/i],
  ['underpriced', /underpriced|fee ?too ?low|gas price too low|less than block base fee/i],
  ['nonceTooLow', /nonce (is )?too low|nonce has already been used|old ?nonce/i],
  ['insufficientFunds', /insufficient ?funds|enough funds|insufficient balance/i],
  ['reverted', /revert/i],
] as const

/** Internal error, and the two codes of a limit exceeded: the node speaks of itself, not of the transaction. */
const undecidedCodes = new Set([-32603, -32005, -32016])

/** The node's own error, innermost of what libraries wrapped around it; undefined when the transport failed and there was none. */
const responseOf = (error: unknown): { code: number; message: string } | undefined => {
  let response: { code: number; message: string } | undefined
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = 'code' in current && typeof current.code === 'number' ? current.code : 0
    const isJsonRpcCode = code === 3 || (code <= -32000 && code >= -32768)
    const details =
      'details' in current && typeof current.details === 'string' ? current.details : current.message
    if (isJsonRpcCode) response = { code, message: details }
  }
  return response
}
