import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Anyone: refunds the client once a dispute has waited too long for a decision. */
export const prepareRefundUndecided = ({ escrow, key }: { escrow: Address; key: Hex }): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'refundUndecided', args: [key] }))
