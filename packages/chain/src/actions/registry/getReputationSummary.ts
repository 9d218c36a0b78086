import type { Address, Client } from 'viem'
import { readContract } from 'viem/actions'
import { reputationRegistryAbi } from '../../abis.ts'

/** The mean of the counted ratings: `value` with `valueDecimals` behind the point. */
export type ReputationSummary = { count: number; value: bigint; valueDecimals: number }

/** The mean over `reviewers`, or over everyone who ever rated the agent when none are named. Empty tags do not filter. */
export const getReputationSummary = async (
  client: Client,
  {
    registry,
    agentId,
    reviewers,
    tag1 = '',
    tag2 = '',
  }: { registry: Address; agentId: bigint; reviewers?: readonly Address[]; tag1?: string; tag2?: string },
): Promise<ReputationSummary> => {
  const contract = { address: registry, abi: reputationRegistryAbi } as const
  const counted =
    reviewers ?? (await readContract(client, { ...contract, functionName: 'getClients', args: [agentId] }))
  if (counted.length === 0) return { count: 0, value: 0n, valueDecimals: 0 }
  const [count, value, valueDecimals] = await readContract(client, {
    ...contract,
    functionName: 'getSummary',
    args: [agentId, counted, tag1, tag2],
  })
  return { count: Number(count), value, valueDecimals }
}
