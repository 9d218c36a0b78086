import type { ReceiptCopy, ReceiptLineType } from '@agent-marketplace/contract'
import type { JobMovement } from '../../house/books/journal-reads.ts'

export interface ReceiptLine {
  type: ReceiptLineType
  amountMicro: bigint
  at: Date
  txHash: string | null
}

export interface ReceiptFigures {
  lines: ReceiptLine[]
  paidMicro: bigint
  refundedMicro: bigint
  /** What the escrow still holds. */
  heldMicro: bigint
  /** What the client bore. */
  costMicro: bigint
  feeMicro: bigint
  /** What the agent's wallet kept. */
  netMicro: bigint
}

const sumOf = (movements: readonly JobMovement[], amountOf: (movement: JobMovement) => bigint): bigint =>
  movements.reduce((sum, movement) => sum + amountOf(movement), 0n)

/**
 * Every figure of a receipt, wherever it is shown. `paid = refunded + held + fee + net`: an escrow pays refunds out of what
 * it holds, and an agent that was paid directly pays them out of what it got.
 */
export function figuresOf(movements: readonly JobMovement[], holdsMoney: boolean): ReceiptFigures {
  const paidMicro = sumOf(movements, (movement) => movement.paidMicro)
  const refundedMicro = sumOf(movements, (movement) => movement.refundedMicro)
  const payoutMicro = sumOf(movements, (movement) => movement.payoutMicro)
  const feeMicro = sumOf(movements, (movement) => movement.feeMicro)
  const netMicro = holdsMoney ? payoutMicro : payoutMicro - refundedMicro
  return {
    lines: movements.flatMap(linesOf),
    paidMicro,
    refundedMicro,
    heldMicro: paidMicro - refundedMicro - feeMicro - netMicro,
    costMicro: paidMicro - refundedMicro,
    feeMicro,
    netMicro,
  }
}

function linesOf({ at, txHash, ...moved }: JobMovement): ReceiptLine[] {
  const amounts: [ReceiptLineType, bigint][] = [
    ['PAYMENT', moved.paidMicro],
    ['REFUND', moved.refundedMicro],
    ['PAYOUT', moved.payoutMicro],
    ['FEE', moved.feeMicro],
  ]
  return amounts.flatMap(([type, amountMicro]) =>
    amountMicro === 0n ? [] : [{ type, amountMicro, at, txHash }],
  )
}

/** What the seller gets, and the platform, is between those two. */
export const showsPayout = (copy: ReceiptCopy): boolean => copy !== 'CLIENT'

export const linesFor = (copy: ReceiptCopy, lines: readonly ReceiptLine[]): ReceiptLine[] =>
  lines.filter(({ type }) => showsPayout(copy) || type === 'PAYMENT' || type === 'REFUND')

/** A receipt has the number of its job, spelled so that it is read as one. */
export const numberOf = (jobId: string): string => `R-${jobId.slice(1).toUpperCase()}`
