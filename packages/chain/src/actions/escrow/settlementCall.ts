import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { type Party, partyIndexOf } from '../../escrowEnums.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

export type SettlementShare = {
  escrow: Address
  key: Hex
  onBehalfOf: Party
  /** The seller's share of the deposit. */
  sellerBps: number
}

/** What both sides of a dispute send to split the deposit. */
export const settlementCall = (
  functionName: 'proposeSettlement' | 'acceptSettlement',
  { escrow, key, onBehalfOf, sellerBps }: SettlementShare,
): PreparedCall =>
  callTo(
    escrow,
    encodeFunctionData({ abi: escrowAbi, functionName, args: [key, partyIndexOf(onBehalfOf), sellerBps] }),
  )
