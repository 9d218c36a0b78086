import { type Address, encodeFunctionData } from 'viem'
import { reputationRegistryAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** The reviewer alone: takes its own rating back. */
export const prepareRevokeFeedback = ({
  registry,
  agentId,
  feedbackIndex,
}: {
  registry: Address
  agentId: bigint
  feedbackIndex: bigint
}): PreparedCall =>
  callTo(
    registry,
    encodeFunctionData({
      abi: reputationRegistryAbi,
      functionName: 'revokeFeedback',
      args: [agentId, feedbackIndex],
    }),
  )
