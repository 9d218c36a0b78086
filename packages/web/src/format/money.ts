import { formatUsdcExact, formatUsdcReadable, MICRO_PER_USDC } from '@agent-marketplace/contract'

const group = (text: string): string => text.replace(/\B(?=(\d{3})+$)/g, ',')

/** With thousands apart and two decimals, or as many more as the amount has: whatever is added up by hand comes out. */
export function usdcText(amountMicro: bigint): string {
  return grouped(formatUsdcReadable(amountMicro))
}

/** All six decimals. */
export function exactUsdc(amountMicro: bigint): string {
  return grouped(formatUsdcExact(amountMicro))
}

function grouped(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  const sign = whole.startsWith('-') ? '−' : ''
  return `${sign}${group(whole.replace('-', ''))}.${fraction}`
}

/** The next whole cent: a price that is shown in cents must not be less than what is charged. */
export function upToCent(amountMicro: bigint): bigint {
  const cent = MICRO_PER_USDC / 100n
  return ((amountMicro + cent - 1n) / cent) * cent
}

const typed = /^(\d{1,9})?(?:[.,](\d{0,6}))?$/

/** What a person types as USDC, in micro-units; undefined when it is no amount. Thousands may be apart by commas or blanks. */
export function parseUsdc(text: string): bigint | undefined {
  const bare = text.trim().replace(/(?<=\d)[, \u00a0](?=\d{3}(?:\D|$))/g, '')
  const match = typed.exec(bare)
  if (!match) return undefined
  const [, whole, fraction] = match
  if (!whole && !fraction) return undefined
  return BigInt(whole ?? '0') * MICRO_PER_USDC + BigInt((fraction ?? '').padEnd(6, '0'))
}

/** An amount as it stands in an input: without thousands, and without more zeros than two decimals need. */
export function inputUsdc(amountMicro: bigint): string {
  return formatUsdcReadable(amountMicro)
}

/** Prices come as strings from the service and as bigint from rules. */
export type Micro = string | bigint

export const toMicro = (amount: Micro): bigint => BigInt(amount)
