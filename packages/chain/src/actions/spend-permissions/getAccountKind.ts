import type { Address, Client, Hex } from 'viem'
import { getCode } from 'viem/actions'

/** `keyOnly` accounts can sign a permission but could never be pulled from: they have no code that lets the manager spend. */
export type AccountKind = 'contract' | 'counterfactual' | 'keyOnly'

const ERC_6492_SUFFIX = '6492'.repeat(16)

/** Distinguishes a deployed smart account, one that its signature would deploy (ERC-6492), and a plain key. */
export const getAccountKind = async (
  client: Client,
  { account, signature }: { account: Address; signature: Hex },
): Promise<AccountKind> => {
  const code = await getCode(client, { address: account })
  if (code !== undefined) return 'contract'
  return signature.toLowerCase().endsWith(ERC_6492_SUFFIX) ? 'counterfactual' : 'keyOnly'
}
