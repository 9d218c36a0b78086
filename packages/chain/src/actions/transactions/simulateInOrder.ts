import type { Address, Client, Hex } from 'viem'
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import type { PreparedCall } from '../../preparedCall.ts'
import { callInOrder } from '../spend-permissions/callInOrder.ts'

/** Tries calls that build on each other, as one sender and without sending them: what each would return, or why one fails. */
export const simulateInOrder = async (
  client: Client,
  { from, calls }: { from: Address; calls: PreparedCall[] },
): Promise<{ status: 'ok'; results: Hex[] } | Refusal> => {
  try {
    return { status: 'ok', results: await callInOrder(client, from, calls) }
  } catch (error) {
    return describeFailure(error)
  }
}
