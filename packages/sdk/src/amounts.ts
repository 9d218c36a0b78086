import { formatMicro, isAmount, MICRO_PER_USDC } from '@agent-marketplace/contract'

const decimals = /^([0-9]+)(?:\.([0-9]{1,6}))?$/

/**
 * Micro-units of an amount in USDC, as the service takes them.
 *
 * @example usdc('12.50') // '12500000'
 */
export function usdc(amount: string): string {
  const [, whole, fraction = ''] = decimals.exec(amount) ?? []
  if (whole === undefined)
    throw new RangeError(`not an amount in USDC with up to six decimals: ${amount.slice(0, 40)}`)
  const micro = formatMicro(BigInt(whole) * MICRO_PER_USDC + BigInt(fraction.padEnd(6, '0')))
  if (!isAmount(micro)) throw new RangeError(`more than nothing and at most a billion USDC, not ${amount}`)
  return micro
}
