import { readable } from '../output/amounts.ts'

/** What a program may let the wallet sign for by itself, in micro-units. */
export interface Caps {
  perJobMicro: bigint
  /** Within any 24 hours. */
  perDayMicro: bigint
  totalMicro: bigint
}

/** A payment that was signed, or is about to be. */
export interface SignedPayment {
  /** With its chain and token, which takes each nonce once: so of several signatures with one, the largest counts. */
  nonce: string
  amountMicro: bigint
  atMs: number
}

export interface Left {
  dayMicro: bigint
  totalMicro: bigint
}

const DAY_MS = 24 * 60 * 60 * 1000

/** What may still be signed for after these. */
export function leftAfter(signed: readonly SignedPayment[], caps: Caps, nowMs: number): Left {
  const ofDay = signed.filter(({ atMs }) => atMs > nowMs - DAY_MS)
  return {
    dayMicro: difference(caps.perDayMicro, sumOf(ofDay)),
    totalMicro: difference(caps.totalMicro, sumOf(signed)),
  }
}

const difference = (capMicro: bigint, sumMicro: bigint): bigint =>
  capMicro > sumMicro ? capMicro - sumMicro : 0n

function sumOf(signed: readonly SignedPayment[]): bigint {
  const largest = new Map<string, bigint>()
  for (const { nonce, amountMicro } of signed)
    if (amountMicro > (largest.get(nonce) ?? 0n)) largest.set(nonce, amountMicro)
  return [...largest.values()].reduce((sum, amountMicro) => sum + amountMicro, 0n)
}

/** Why this must not be signed after these; undefined where it may be. */
export function refusalOf(
  payment: SignedPayment,
  before: readonly SignedPayment[],
  caps: Caps,
): string | undefined {
  const others = before.filter(({ nonce }) => nonce !== payment.nonce)
  const { dayMicro, totalMicro } = leftAfter(others, caps, payment.atMs)
  const costs = `It costs ${readable(payment.amountMicro)} USDC`
  if (payment.amountMicro > caps.perJobMicro)
    return `${costs}, and the local cap for one job is ${readable(caps.perJobMicro)}.`
  if (payment.amountMicro > dayMicro)
    return `${costs}, and of the local cap for 24 hours ${readable(dayMicro)} is left.`
  if (payment.amountMicro > totalMicro)
    return `${costs}, and of the local cap in all ${readable(totalMicro)} is left.`
  return undefined
}
