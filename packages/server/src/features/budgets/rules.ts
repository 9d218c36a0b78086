import { AppError, type ErrorDetails, formatMicro, formatUsdcReadable } from '@agent-marketplace/contract'

export interface Caps {
  perJobMicro: bigint | null
  perDayMicro: bigint | null
  perMonthMicro: bigint | null
  totalMicro: bigint | null
}

export interface Sum {
  spentMicro: bigint
  reservedMicro: bigint
}

/** The current sums of the jobs of one budget. */
export interface Sums {
  day: Sum
  month: Sum
  total: Sum
}

export const nothing: Sum = { spentMicro: 0n, reservedMicro: 0n }

/** A day and a month begin at 0:00 UTC. */
export const dayOf = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()))
export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))

export const nextDayOf = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1))
export const nextMonthOf = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))

export const isSameDay = (a: Date, b: Date): boolean => dayOf(a).getTime() === dayOf(b).getTime()

export const withReserved = ({ day, month, total }: Sums, amountMicro: bigint): Sums => {
  const more = (sum: Sum): Sum => ({ ...sum, reservedMicro: sum.reservedMicro + amountMicro })
  return { day: more(day), month: more(month), total: more(total) }
}

/** Never negative: a reorganisation can restore a payment whose room was given to another. */
export function leftOf(capMicro: bigint, { spentMicro, reservedMicro }: Sum): bigint {
  const left = capMicro - spentMicro - reservedMicro
  return left > 0n ? left : 0n
}

const usdc = (amountMicro: bigint): string => `${formatUsdcReadable(amountMicro)} USDC`

interface Window {
  limit: ErrorDetails['BUDGET_EXCEEDED']['limit']
  capMicro: bigint | null
  sum: Sum
  resetsAt: Date | null
  /** After "This credential may spend at most … USDC". */
  words: string
}

const windowsOf = (caps: Caps, sums: Sums, now: Date): Window[] => [
  { limit: 'PER_JOB', capMicro: caps.perJobMicro, sum: nothing, resetsAt: null, words: 'for one job' },
  { limit: 'DAY', capMicro: caps.perDayMicro, sum: sums.day, resetsAt: nextDayOf(now), words: 'in a day' },
  {
    limit: 'MONTH',
    capMicro: caps.perMonthMicro,
    sum: sums.month,
    resetsAt: nextMonthOf(now),
    words: 'in a month',
  },
  { limit: 'TOTAL', capMicro: caps.totalMicro, sum: sums.total, resetsAt: null, words: 'in all' },
]

/** Throws at the first cap that leaves too little. */
export function checkCaps(caps: Caps, sums: Sums, amountMicro: bigint, now: Date): void {
  for (const { limit, capMicro, sum, resetsAt, words } of windowsOf(caps, sums, now)) {
    if (capMicro === null) continue
    const leftMicro = leftOf(capMicro, sum)
    if (amountMicro <= leftMicro) continue
    throw new AppError('BUDGET_EXCEEDED', {
      message:
        `This credential may spend at most ${usdc(capMicro)} ${words}, of which ${usdc(leftMicro)} is left, and this costs ` +
        `${usdc(amountMicro)}. Nothing was charged.`,
      details: {
        limit,
        cap: formatMicro(capMicro),
        spent: formatMicro(sum.spentMicro),
        reserved: formatMicro(sum.reservedMicro),
        left: formatMicro(leftMicro),
        required: formatMicro(amountMicro),
        resetsAt: resetsAt?.toISOString() ?? null,
      },
    })
  }
}
