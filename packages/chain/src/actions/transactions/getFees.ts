import type { Client } from 'viem'
import { estimateMaxPriorityFeePerGas, getBlock } from 'viem/actions'

export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** Fees that outlast several full blocks: twice the base fee, plus the tip. The devnet charges none. */
export const getFees = async (client: Client): Promise<Fees> => {
  const { baseFeePerGas } = await getBlock(client, { blockTag: 'latest' })
  if (!baseFeePerGas) return { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const maxPriorityFeePerGas = await estimateMaxPriorityFeePerGas(client, { chain: null })
  return { maxFeePerGas: baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
}
