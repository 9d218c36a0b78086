import { decodeErrorResult, type Hex, isHex } from 'viem'
import {
  agentRegistryAbi,
  escrowAbi,
  reputationRegistryAbi,
  smartWalletAbi,
  spendPermissionManagerAbi,
} from './abis.ts'

/** A call that failed: the contract said no, and in which words; or nobody responded, which says nothing about the call. */
export type Refusal =
  | { status: 'refused'; reason: string; args: readonly unknown[] }
  | { status: 'unanswered'; cause: unknown }

const knownErrors = [
  ...escrowAbi,
  ...spendPermissionManagerAbi,
  ...smartWalletAbi,
  ...agentRegistryAbi,
  ...reputationRegistryAbi,
].filter((item) => item.type === 'error')

const EXECUTION_REVERTED = 3
const executionFailure = /revert|out of gas|invalid opcode|invalid jump|stack (under|over)flow|VM Exception/i

/** Reads a failed `eth_call` or `eth_estimateGas`: a custom error by its name, a revert string as it stands. */
export const describeFailure = (error: unknown): Refusal => {
  for (const cause of causesOf(error)) {
    const data = revertDataOf(cause)
    if (data !== undefined) return { status: 'refused', ...readRevert(data) }
    const text = 'details' in cause && typeof cause.details === 'string' ? cause.details : cause.message
    if (('code' in cause && cause.code === EXECUTION_REVERTED) || executionFailure.test(text)) {
      return { status: 'refused', reason: asOneLine(text), args: [] }
    }
  }
  return { status: 'unanswered', cause: error }
}

// Innermost first: the node's own words, before any library has wrapped them.
const causesOf = (error: unknown): Error[] => {
  const causes: Error[] = []
  for (let current = error; current instanceof Error && causes.length < 10; current = current.cause)
    causes.push(current)
  return causes.reverse()
}

// Nodes put the returned bytes straight into `data`; the devnet's machine puts them one level deeper.
const revertDataOf = (error: Error): Hex | undefined => {
  const data = 'data' in error ? error.data : undefined
  const bytes = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return isHex(bytes) && bytes.length >= 10 ? bytes : undefined
}

const readRevert = (data: Hex): { reason: string; args: readonly unknown[] } => {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: knownErrors, data })
    const isPlainText = (errorName as string) === 'Error' && typeof args[0] === 'string'
    return isPlainText ? { reason: asOneLine(String(args[0])), args: [] } : { reason: errorName, args }
  } catch {
    return { reason: asOneLine(data), args: [] }
  }
}

const MOST_CHARACTERS = 300

// Whatever contract is called chooses these words, also one that somebody wrote to do harm. They are stored and shown, and
// no database takes a NUL: one such response would break the code that has to store it.
const asOneLine = (words: string): string =>
  words
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS) || 'REVERTED'
