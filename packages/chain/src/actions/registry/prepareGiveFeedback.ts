import { type Address, encodeFunctionData, type Hex, zeroHash } from 'viem'
import { reputationRegistryAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** A rating as ERC-8004 writes it: `value` with `valueDecimals` behind the point; five stars are 100 under the tag `starred`. */
export type Feedback = {
  agentId: bigint
  value: bigint
  valueDecimals: number
  tag1?: string
  tag2?: string
  endpoint?: string
  feedbackUri?: string
  feedbackHash?: Hex
}

/** Rates an agent. The sender is the reviewer, and may be neither the agent's owner nor act for it. */
export const prepareGiveFeedback = ({
  registry,
  feedback: {
    agentId,
    value,
    valueDecimals,
    tag1 = '',
    tag2 = '',
    endpoint = '',
    feedbackUri = '',
    feedbackHash = zeroHash,
  },
}: {
  registry: Address
  feedback: Feedback
}): PreparedCall =>
  callTo(
    registry,
    encodeFunctionData({
      abi: reputationRegistryAbi,
      functionName: 'giveFeedback',
      args: [agentId, value, valueDecimals, tag1, tag2, endpoint, feedbackUri, feedbackHash],
    }),
  )
