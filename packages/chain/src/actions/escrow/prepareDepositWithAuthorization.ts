import { type Address, encodeFunctionData, type Hex } from 'viem'
import { escrowAbi } from '../../abis.ts'
import { encodeTerms, type JobTerms } from '../../escrowJob.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Anyone: funds the job with the client's signed authorization (see `buildReceiveAuthorization`), at the relayer's gas. */
export const prepareDepositWithAuthorization = ({
  escrow,
  terms,
  validAfter,
  validBefore,
  signature,
}: {
  escrow: Address
  terms: JobTerms
  validAfter: bigint
  validBefore: bigint
  signature: Hex
}): PreparedCall =>
  callTo(
    escrow,
    encodeFunctionData({
      abi: escrowAbi,
      functionName: 'depositWithAuthorization',
      args: [encodeTerms(terms), validAfter, validBefore, signature],
    }),
  )
