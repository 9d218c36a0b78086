import type { Address, Client, Hex } from 'viem'
import { readContract } from 'viem/actions'
import { usdcAbi } from '../../abis.ts'

/** True once an EIP-3009 authorization was used or cancelled: it can never move money again. */
export const getAuthorizationState = (
  client: Client,
  { usdc, authorizer, nonce }: { usdc: Address; authorizer: Address; nonce: Hex },
): Promise<boolean> =>
  readContract(client, {
    address: usdc,
    abi: usdcAbi,
    functionName: 'authorizationState',
    args: [authorizer, nonce],
  })
