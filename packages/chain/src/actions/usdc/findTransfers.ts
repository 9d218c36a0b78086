import type { Address, Client, Hex } from 'viem'
import { getTransactionOutcome } from '../transactions/getTransactionOutcome.ts'
import { decodeUsdcEvents, type UsdcTransfer, type UsedAuthorization } from './decodeUsdcEvents.ts'

export type TransferLookup =
  | { status: 'unknown' | 'pending' | 'reverted' }
  | { status: 'success'; blockNumber: bigint; transfers: UsdcTransfer[]; authorizations: UsedAuthorization[] }

/** What a transaction moved in USDC, and by which authorizations, once it is mined. */
export const findTransfers = async (
  client: Client,
  { usdc, hash }: { usdc: Address; hash: Hex },
): Promise<TransferLookup> => {
  const outcome = await getTransactionOutcome(client, { hash })
  if (outcome.status !== 'success') return { status: outcome.status }
  return {
    status: 'success',
    blockNumber: outcome.receipt.blockNumber,
    ...decodeUsdcEvents({ usdc, logs: outcome.receipt.logs }),
  }
}
