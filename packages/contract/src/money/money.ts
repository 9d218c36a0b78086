/** USDC has six decimals: amounts are bigint micro-units inside, decimal strings outside, and are converted only here. */
export const MICRO_PER_USDC = 1_000_000n

/** No single amount in the API may pass this: a billion USDC. */
export const MAX_AMOUNT_MICRO = 10n ** 15n

/** A positive amount of at most MAX_AMOUNT_MICRO, without sign, leading zeros or exponent. */
export const AMOUNT_PATTERN = '^([1-9][0-9]{0,14}|1000000000000000)$'

/** The same with zero, for limits and rates that may be nothing. */
export const AMOUNT_OR_ZERO_PATTERN = '^(0|[1-9][0-9]{0,14}|1000000000000000)$'

/** Any amount that the service reports, zero included. */
export const REPORTED_AMOUNT_PATTERN = '^(0|[1-9][0-9]{0,77})$'

const amountRegex = new RegExp(AMOUNT_PATTERN)

export function isAmount(text: string): boolean {
  return amountRegex.test(text)
}

export function parseMicro(text: string): bigint {
  if (!amountRegex.test(text) && text !== '0')
    throw new RangeError(`not an amount in micro-USDC: ${text.slice(0, 40)}`)
  return BigInt(text)
}

export function formatMicro(amountMicro: bigint): string {
  return amountMicro.toString()
}

/** USDC with two decimals, cut and not rounded, so that it never shows more than there is. */
export function formatUsdc(amountMicro: bigint): string {
  return formatDecimals(amountMicro, 2)
}

/** USDC with all six decimals. */
export function formatUsdcExact(amountMicro: bigint): string {
  return formatDecimals(amountMicro, 6)
}

/** USDC as people read it: two decimals, and more only where the amount has them, so that shown sums add up. */
export function formatUsdcReadable(amountMicro: bigint): string {
  return formatUsdcExact(amountMicro).replace(/0{1,4}$/, '')
}

function formatDecimals(amountMicro: bigint, decimals: number): string {
  const sign = amountMicro < 0n ? '-' : ''
  const absolute = amountMicro < 0n ? -amountMicro : amountMicro
  const fraction = (absolute % MICRO_PER_USDC).toString().padStart(6, '0').slice(0, decimals)
  return `${sign}${absolute / MICRO_PER_USDC}.${fraction}`
}
