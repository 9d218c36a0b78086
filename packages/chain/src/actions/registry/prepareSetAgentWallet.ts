import { type Address, encodeFunctionData, type Hex } from 'viem'
import { agentRegistryAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** The agent's owner, or whom it approved: names the wallet that is paid, with that wallet's own consent (see `buildAgentWalletSet`). */
export const prepareSetAgentWallet = ({
  registry,
  agentId,
  newWallet,
  deadline,
  signature,
}: {
  registry: Address
  agentId: bigint
  newWallet: Address
  deadline: bigint
  signature: Hex
}): PreparedCall =>
  callTo(
    registry,
    encodeFunctionData({
      abi: agentRegistryAbi,
      functionName: 'setAgentWallet',
      args: [agentId, newWallet, deadline, signature],
    }),
  )
