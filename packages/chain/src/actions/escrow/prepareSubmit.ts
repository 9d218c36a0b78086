import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Seller side: hands the work in, which starts the review window. `deliveryHash` commits to what was delivered. */
export const prepareSubmit = ({
  escrow,
  key,
  deliveryHash,
}: {
  escrow: Address
  key: Hex
  deliveryHash: Hex
}): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'submit', args: [key, deliveryHash] }))
