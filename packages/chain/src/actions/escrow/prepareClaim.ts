import { type Address, encodeFunctionData } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Anyone: pays `recipient` what could not be pushed to it before. */
export const prepareClaim = ({ escrow, recipient }: { escrow: Address; recipient: Address }): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'claim', args: [recipient] }))
