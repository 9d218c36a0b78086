import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { type Party, partyIndexOf } from '../../escrowJob.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** The other side of a dispute: accepts exactly the standing offer. */
export const prepareAcceptSettlement = ({
  escrow,
  key,
  onBehalfOf,
  sellerBps,
}: {
  escrow: Address
  key: Hex
  onBehalfOf: Party
  sellerBps: number
}): PreparedCall =>
  callTo(
    escrow,
    encodeFunctionData({
      abi: escrowAbi,
      functionName: 'acceptSettlement',
      args: [key, partyIndexOf(onBehalfOf), sellerBps],
    }),
  )
