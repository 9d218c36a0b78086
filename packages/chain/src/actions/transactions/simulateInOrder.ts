import type { Address, Client } from 'viem'
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import type { PreparedCall } from '../../preparedCall.ts'
import { callInOrder } from '../spend-permissions/callInOrder.ts'

/** Tries calls that build on each other, as one sender and without sending them: whether all would go through, or why not. */
export const simulateInOrder = async (
  client: Client,
  { from, calls }: { from: Address; calls: PreparedCall[] },
): Promise<{ status: 'ok' } | Refusal> => {
  try {
    await callInOrder(client, from, calls)
    return { status: 'ok' }
  } catch (error) {
    return describeFailure(error)
  }
}
