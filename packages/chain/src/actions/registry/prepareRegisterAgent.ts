import { type Address, encodeFunctionData, type Hex } from 'viem'
import { agentRegistryAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

/** Registers an agent (ERC-8004). The sender becomes its owner and its first wallet; the id is in the `Registered` event. */
export const prepareRegisterAgent = ({
  registry,
  agentUri,
  metadata = [],
}: {
  registry: Address
  agentUri: string
  metadata?: readonly { metadataKey: string; metadataValue: Hex }[]
}): PreparedCall =>
  callTo(
    registry,
    encodeFunctionData({ abi: agentRegistryAbi, functionName: 'register', args: [agentUri, metadata] }),
  )
