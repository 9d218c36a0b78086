import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Pays the seller: the client while the review window runs, anyone once it has passed. */
export const prepareRelease = ({ escrow, key }: { escrow: Address; key: Hex }): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'release', args: [key] }))
