import { type Address, encodeFunctionData } from 'viem'
import { agentRegistryAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** The agent's owner, or whom it approved: points the agent at a new registration file. */
export const prepareSetAgentUri = ({
  registry,
  agentId,
  agentUri,
}: {
  registry: Address
  agentId: bigint
  agentUri: string
}): PreparedCall =>
  callTo(
    registry,
    encodeFunctionData({ abi: agentRegistryAbi, functionName: 'setAgentURI', args: [agentId, agentUri] }),
  )
