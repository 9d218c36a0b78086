import type { Address, Client } from 'viem'
import { readContract } from 'viem/actions'
import { escrowAbi } from '../../abis.ts'

/** What the escrow could not push to `recipient` and keeps for it. */
export const getOwed = (
  client: Client,
  { escrow, recipient }: { escrow: Address; recipient: Address },
): Promise<bigint> =>
  readContract(client, { address: escrow, abi: escrowAbi, functionName: 'owedTo', args: [recipient] })
