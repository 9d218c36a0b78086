import { formatUsdcReadable, parseMicro } from '@agent-marketplace/contract'
import { usdc } from '@agent-marketplace/sdk'
import { CommandError } from '../exit-codes.ts'

/** Micro-units as people read them. */
export const readable = (amountMicro: string | bigint): string => formatUsdcReadable(BigInt(amountMicro))

/** An amount that a person wrote, in micro-units. */
export function amountFrom(written: string, option: string): bigint {
  try {
    return parseMicro(usdc(written))
  } catch {
    throw new CommandError('usage', `${option} takes an amount in USDC such as 12.50, not “${written}”.`)
  }
}
