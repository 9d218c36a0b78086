import {
  type Client,
  type Hex,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { getTransaction, getTransactionReceipt } from 'viem/actions'

/** `unknown`: the node has never heard of it, or has dropped it. */
export type TransactionOutcome =
  | { status: 'unknown' | 'pending' }
  | { status: 'success' | 'reverted'; receipt: TransactionReceipt }

export const getTransactionOutcome = async (
  client: Client,
  { hash }: { hash: Hex },
): Promise<TransactionOutcome> => {
  try {
    const receipt = await getTransactionReceipt(client, { hash })
    return { status: receipt.status, receipt }
  } catch (error) {
    if (!(error instanceof TransactionReceiptNotFoundError)) throw error
  }
  try {
    await getTransaction(client, { hash })
    return { status: 'pending' }
  } catch (error) {
    if (!(error instanceof TransactionNotFoundError)) throw error
    return { status: 'unknown' }
  }
}
