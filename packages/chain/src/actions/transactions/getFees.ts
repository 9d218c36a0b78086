import type { Client } from 'viem'
import { estimateMaxPriorityFeePerGas, getBlock } from 'viem/actions'

export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

const GWEI = 1_000_000_000n

/** A tip beyond ten times the base fee, and beyond this, is a node's mistake: it would be paid, with every transaction. */
const MOST_TIP = GWEI

/** Fees that outlast several full blocks: twice the base fee, plus the tip. The devnet charges none. */
export const getFees = async (client: Client): Promise<Fees> => {
  const { baseFeePerGas } = await getBlock(client, { blockTag: 'latest' })
  if (!baseFeePerGas) return { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const tip = await estimateMaxPriorityFeePerGas(client, { chain: null })
  const isAbsurd = tip > MOST_TIP && tip > baseFeePerGas * 10n
  const maxPriorityFeePerGas = isAbsurd ? MOST_TIP : tip
  return { maxFeePerGas: baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
}
