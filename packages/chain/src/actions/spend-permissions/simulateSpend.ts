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
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import type { PreparedCall } from '../../preparedCall.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'
import { prepareApproveWithSignature } from './prepareApproveWithSignature.ts'
import { prepareSpend } from './prepareSpend.ts'

/**
 * Tries a pull without making it. With a `signature` the permission is brought on chain first, within the same trial:
 * this shows before anything is signed or sent that the account exists or deploys, lets the manager act, and has the money.
 */
export const simulateSpend = async (
  client: Client,
  {
    manager,
    permission,
    amountMicro,
    signature,
  }: { manager: Address; permission: SpendPermission; amountMicro: bigint; signature?: Hex },
): Promise<{ status: 'ok' } | Refusal> => {
  const spend = prepareSpend({ manager, permission, amountMicro })
  try {
    if (signature === undefined) {
      await client.request({
        method: 'eth_call',
        params: [{ from: permission.spender, to: spend.to, data: spend.data }, 'latest'],
      })
    } else {
      await callInOrder(client, permission.spender, [
        prepareApproveWithSignature({ manager, permission, signature }),
        spend,
      ])
    }
    return { status: 'ok' }
  } catch (error) {
    return describeFailure(error)
  }
}

/**
 * For the length of one call the spender's address carries Multicall3's code, so that it makes all the calls as itself.
 * Failures are allowed there, since Multicall3 would hide their reasons, and thrown here.
 */
const callInOrder = async (client: Client, sender: Address, calls: PreparedCall[]): Promise<void> => {
  const { multicall3 } = addressesOf(await getChainId(client))
  const code = await getCode(client, { address: multicall3 })
  const aggregate = { abi: multicall3Abi, functionName: 'aggregate3' } as const
  const data = encodeFunctionData({
    ...aggregate,
    args: [calls.map((call) => ({ target: call.to, allowFailure: true, callData: call.data }))],
  })
  const answer = await client.request({
    method: 'eth_call',
    params: [{ from: sender, to: sender, data }, 'latest', { [sender]: { code } }],
  })
  for (const { success, returnData } of decodeFunctionResult({ ...aggregate, data: answer })) {
    if (!success) throw Object.assign(new Error('execution reverted'), { data: returnData })
  }
}
