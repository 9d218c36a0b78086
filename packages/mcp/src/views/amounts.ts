import { formatUsdcReadable } from '@agent-marketplace/contract'
import { Type } from 'typebox'

/** Models read and write USDC as people do; the API's micro-units stay behind the tools. */
export const usdcText = (micro: string): string => formatUsdcReadable(BigInt(micro))

export const Usdc = Type.String({ description: 'An amount in USDC, as a decimal.', examples: ['12.50'] })

export const UsdcInput = Type.String({
  pattern: '^[0-9]{1,9}(\\.[0-9]{1,6})?$',
  description: 'An amount in USDC, as a decimal.',
  examples: ['12.50'],
})

/** Long texts of others are cut where a list of them is read. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`
