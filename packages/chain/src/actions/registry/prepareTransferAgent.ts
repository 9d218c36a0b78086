import { type Address, encodeFunctionData } from 'viem'
import { agentRegistryAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Hands the agent's token to another owner. The registry forgets the agent's wallet with it. */
export const prepareTransferAgent = ({
  registry,
  agentId,
  from,
  to,
}: {
  registry: Address
  agentId: bigint
  from: Address
  to: Address
}): PreparedCall =>
  callTo(
    registry,
    encodeFunctionData({
      abi: agentRegistryAbi,
      functionName: 'safeTransferFrom',
      args: [from, to, agentId],
    }),
  )
