import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** A party, from its own wallet: the operator may no longer act for it on this job. */
export const prepareDisableOperator = ({ escrow, key }: { escrow: Address; key: Hex }): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'disableOperator', args: [key] }))
