import { type Address, type Client, numberToHex } from 'viem'
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import type { PreparedCall } from '../../preparedCall.ts'

export type Simulation = { status: 'ok'; gas: bigint } | Refusal

/**
 * Tries a call at the chain's present, or at one block: the gas it would need (with a fifth to spare), or why it would be refused. With a
 * given limit it is run once, within that; finding the least that it needs costs a node several runs.
 */
export const simulateCall = async (
  client: Client,
  {
    from,
    call,
    gasLimit,
    blockNumber,
  }: { from: Address; call: PreparedCall; gasLimit?: bigint | undefined; blockNumber?: bigint | undefined },
): Promise<Simulation> => {
  const { to, data, value } = call
  const block = blockNumber === undefined ? 'latest' : numberToHex(blockNumber)
  const request = { from, to, data, value: numberToHex(value) }
  try {
    if (gasLimit !== undefined) {
      await client.request({
        method: 'eth_call',
        params: [{ ...request, gas: numberToHex(gasLimit) }, block],
      })
      return { status: 'ok', gas: gasLimit }
    }
    const gas = await client.request({ method: 'eth_estimateGas', params: [request, block] })
    return { status: 'ok', gas: (BigInt(gas) * 6n) / 5n }
  } catch (error) {
    return describeFailure(error)
  }
}
