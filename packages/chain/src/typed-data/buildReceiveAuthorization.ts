import type { Address } from 'viem'
import { type JobTerms, jobKeyOf } from '../escrowJob.ts'
import { receiveTypedData, type UsdcToken } from './buildTransferAuthorization.ts'

/**
 * The one signature that funds an escrow job without gas. Its nonce is the job's key, which commits to every term,
 * so it can fund this job alone, and only once.
 */
export const buildReceiveAuthorization = ({
  token,
  escrow,
  terms,
  validAfter,
  validBefore,
}: {
  token: UsdcToken
  escrow: Address
  terms: JobTerms
  validAfter: bigint
  validBefore: bigint
}) =>
  receiveTypedData({
    token,
    authorization: {
      from: terms.client,
      to: escrow,
      value: terms.amountMicro,
      validAfter,
      validBefore,
      nonce: jobKeyOf({ chainId: token.chainId, escrow, terms }),
    },
  })
