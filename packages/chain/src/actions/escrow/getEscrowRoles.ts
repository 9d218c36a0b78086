import type { Address, Client } from 'viem'
import { multicall } from 'viem/actions'
import { escrowAbi } from '../../abis.ts'

export type EscrowRoleHolders = { operator: Address; arbiter: Address; treasury: Address }

/** Who holds the escrow's roles, at one block or now. */
export const getEscrowRoles = async (
  client: Client,
  { escrow, blockNumber }: { escrow: Address; blockNumber?: bigint },
): Promise<EscrowRoleHolders> => {
  const contract = { address: escrow, abi: escrowAbi } as const
  const [operator, arbiter, treasury] = await multicall(client, {
    contracts: [
      { ...contract, functionName: 'operator' },
      { ...contract, functionName: 'arbiter' },
      { ...contract, functionName: 'treasury' },
    ],
    allowFailure: false,
    blockNumber,
  })
  return { operator, arbiter, treasury }
}
