import type { Address, Client, Hex } from 'viem'
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'
import { callInOrder } from './callInOrder.ts'
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
