import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { type Party, partyIndexOf } from '../../escrowJob.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Either side of a dispute: offers the seller `sellerBps` of the deposit; the newest offer stands. */
export const prepareProposeSettlement = ({
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
      functionName: 'proposeSettlement',
      args: [key, partyIndexOf(onBehalfOf), sellerBps],
    }),
  )
