import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** The arbiter alone: decides a dispute, giving the seller `sellerBps` of the deposit. */
export const prepareRule = ({
  escrow,
  key,
  sellerBps,
}: {
  escrow: Address
  key: Hex
  sellerBps: number
}): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'rule', args: [key, sellerBps] }))
