import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { type Party, partyIndexOf } from '../../escrowEnums.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Either side: asks for a decision, which stops the auto-release clock. */
export const prepareOpenDispute = ({
  escrow,
  key,
  onBehalfOf,
}: {
  escrow: Address
  key: Hex
  onBehalfOf: Party
}): PreparedCall =>
  callTo(
    escrow,
    encodeFunctionData({
      abi: escrowAbi,
      functionName: 'openDispute',
      args: [key, partyIndexOf(onBehalfOf)],
    }),
  )
