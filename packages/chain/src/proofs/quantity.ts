import type { Hex } from 'viem'

/** A number as the chain's encoding has it: without leading zeros, and zero as nothing at all. */
export const quantity = (value: Hex): Hex => {
  const hex = BigInt(value).toString(16)
  if (hex === '0') return '0x'
  return `0x${hex.length % 2 === 1 ? `0${hex}` : hex}`
}
