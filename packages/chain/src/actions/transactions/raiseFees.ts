import type { Fees } from './getFees.ts'

// Nodes take a replacement only when it pays at least a tenth more; an eighth stays clear of rounding.
const raise = (fee: bigint): bigint => fee + fee / 8n + 1n

/** The least a replacement of a stuck transaction has to offer, or the market's price where that is higher. */
export const raiseFees = ({ previous, market }: { previous: Fees; market: Fees }): Fees => ({
  maxFeePerGas: larger(raise(previous.maxFeePerGas), market.maxFeePerGas),
  maxPriorityFeePerGas: larger(raise(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
})

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
