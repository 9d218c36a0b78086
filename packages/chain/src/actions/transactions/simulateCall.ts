import { type Address, type Client, numberToHex } from 'viem'
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import type { PreparedCall } from '../../preparedCall.ts'

export type Simulation = { status: 'ok'; gas: bigint } | Refusal

/**
 * Tries a call at the chain's present, or at one block: the gas it would need (with a fifth to spare), or why it would be refused. With a
 * given limit it is run once, within that; finding the least that it needs costs a node several runs. What is found is
 * tried: a call that runs out of the gas that the node itself named has no answer, and must not go out with it.
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
    const estimate = await client.request({ method: 'eth_estimateGas', params: [request, block] })
    const gas = (BigInt(estimate) * 6n) / 5n
    const isEnough = await client
      .request({ method: 'eth_call', params: [{ ...request, gas: numberToHex(gas) }, block] })
      .then(() => true)
      .catch(() => false)
    if (isEnough) return { status: 'ok', gas }
    return {
      status: 'unanswered',
      cause: new Error(`the call fails with the ${gas} gas that it should need`),
    }
  } catch (error) {
    return describeFailure(error)
  }
}
