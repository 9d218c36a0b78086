import type { Address, Client } from 'viem'
import { multicall } from 'viem/actions'
import { agentRegistryAbi } from '../../abis.ts'

/** `wallet` is undefined when none is set, as after a transfer. */
export type AgentRegistration = { owner: Address; uri: string; wallet: Address | undefined }

/** The agent's entry in the registry, or undefined when there is none under this id. Ids begin at 0. */
export const getAgentRegistration = async (
  client: Client,
  { registry, agentId }: { registry: Address; agentId: bigint },
): Promise<AgentRegistration | undefined> => {
  const contract = { address: registry, abi: agentRegistryAbi } as const
  const [owner, uri, wallet] = await multicall(client, {
    contracts: [
      { ...contract, functionName: 'ownerOf', args: [agentId] },
      { ...contract, functionName: 'tokenURI', args: [agentId] },
      { ...contract, functionName: 'getAgentWallet', args: [agentId] },
    ],
  })
  if (owner.status === 'failure' || uri.status === 'failure' || wallet.status === 'failure') return undefined
  return {
    owner: owner.result,
    uri: uri.result,
    wallet: BigInt(wallet.result) === 0n ? undefined : wallet.result,
  }
}
