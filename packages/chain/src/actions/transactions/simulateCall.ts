import { type Address, type Client, numberToHex } from 'viem'
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import type { PreparedCall } from '../../preparedCall.ts'

export type Simulation = { status: 'ok'; gas: bigint } | Refusal

/** Tries a call at the chain's present: the gas it would need (with a fifth to spare), or why it would be refused. */
export const simulateCall = async (
  client: Client,
  { from, call }: { from: Address; call: PreparedCall },
): Promise<Simulation> => {
  try {
    const gas = await client.request({
      method: 'eth_estimateGas',
      params: [{ from, to: call.to, data: call.data, value: numberToHex(call.value) }],
    })
    return { status: 'ok', gas: (BigInt(gas) * 6n) / 5n }
  } catch (error) {
    return describeFailure(error)
  }
}
