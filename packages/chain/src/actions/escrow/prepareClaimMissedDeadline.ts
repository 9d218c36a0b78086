import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Client side: takes the money back when nothing was delivered by the deadline plus its grace. */
export const prepareClaimMissedDeadline = ({ escrow, key }: { escrow: Address; key: Hex }): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'claimMissedDeadline', args: [key] }))
