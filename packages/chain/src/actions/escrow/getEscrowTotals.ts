import type { Address, Client } from 'viem'
import { multicall } from 'viem/actions'
import { escrowAbi } from '../../abis.ts'

export type EscrowTotals = { heldMicro: bigint; owedMicro: bigint }

/** What open jobs hold, and what waits to be claimed, at one block. The contract's balance is at least their sum. */
export const getEscrowTotals = async (
  client: Client,
  { escrow, blockNumber }: { escrow: Address; blockNumber?: bigint },
): Promise<EscrowTotals> => {
  const contract = { address: escrow, abi: escrowAbi } as const
  const [heldMicro, owedMicro] = await multicall(client, {
    contracts: [
      { ...contract, functionName: 'totalHeld' },
      { ...contract, functionName: 'totalOwed' },
    ],
    allowFailure: false,
    blockNumber,
  })
  return { heldMicro, owedMicro }
}
