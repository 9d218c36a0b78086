import {
  type Address,
  type Client,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
} from 'viem'
import { getChainId, getCode } from 'viem/actions'
import { addressesOf } from '../../addresses.ts'
import type { PreparedCall } from '../../preparedCall.ts'

/**
 * Tries calls one after another as one sender, without sending them, and returns their results. For the length of one
 * call the sender's address carries Multicall3's code, so that it makes all the calls as itself. Failures are allowed
 * there, since Multicall3 would hide their reasons, and thrown here.
 */
export const callInOrder = async (client: Client, sender: Address, calls: PreparedCall[]): Promise<Hex[]> => {
  const { multicall3 } = addressesOf(await getChainId(client))
  const code = await getCode(client, { address: multicall3 })
  const aggregate = { abi: multicall3Abi, functionName: 'aggregate3' } as const
  const data = encodeFunctionData({
    ...aggregate,
    args: [calls.map((call) => ({ target: call.to, allowFailure: true, callData: call.data }))],
  })
  const response = await client.request({
    method: 'eth_call',
    params: [{ from: sender, to: sender, data }, 'latest', { [sender]: { code } }],
  })
  return decodeFunctionResult({ ...aggregate, data: response }).map(({ success, returnData }) => {
    if (!success) throw Object.assign(new Error('execution reverted'), { data: returnData })
    return returnData
  })
}
