import type { Address, Client, Hex } from 'viem'
import { readContract } from 'viem/actions'
import { usdcAbi } from '../../abis.ts'

/** True once an EIP-3009 authorization was used or cancelled: it can never move money again. At the end of a block, or now. */
export const getAuthorizationState = (
  client: Client,
  {
    usdc,
    authorizer,
    nonce,
    blockNumber,
  }: { usdc: Address; authorizer: Address; nonce: Hex; blockNumber?: bigint | undefined },
): Promise<boolean> =>
  readContract(client, {
    address: usdc,
    abi: usdcAbi,
    functionName: 'authorizationState',
    args: [authorizer, nonce],
    blockNumber,
  })
