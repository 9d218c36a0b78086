import { type Address, encodeFunctionData } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { encodeTerms, type JobTerms } from '../../escrowJob.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** The client, from its own wallet and after approving the amount: funds the job. */
export const prepareDeposit = ({ escrow, terms }: { escrow: Address; terms: JobTerms }): PreparedCall =>
  callTo(escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'deposit', args: [encodeTerms(terms)] }))
