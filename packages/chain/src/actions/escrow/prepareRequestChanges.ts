import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Client side: sends the work back, twice at most and only within the review window. */
export const prepareRequestChanges = ({ escrow, key }: { escrow: Address; key: Hex }): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'requestChanges', args: [key] }))
