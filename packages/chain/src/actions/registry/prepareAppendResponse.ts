import { type Address, encodeFunctionData, type Hex, zeroHash } from 'viem'
import { reputationRegistryAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Anyone: replies to a rating with a document. */
export const prepareAppendResponse = ({
  registry,
  agentId,
  reviewer,
  feedbackIndex,
  responseUri,
  responseHash = zeroHash,
}: {
  registry: Address
  agentId: bigint
  reviewer: Address
  feedbackIndex: bigint
  responseUri: string
  responseHash?: Hex
}): PreparedCall =>
  callTo(
    registry,
    encodeFunctionData({
      abi: reputationRegistryAbi,
      functionName: 'appendResponse',
      args: [agentId, reviewer, feedbackIndex, responseUri, responseHash],
    }),
  )
