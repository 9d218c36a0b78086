import type { Hex, LocalAccount } from 'viem'
import { keccakOfHex } from '../../hashing/keccak.ts'
import type { PreparedCall } from '../../preparedCall.ts'
import type { Fees } from './getFees.ts'

export type SignedTransaction = { rawTransaction: Hex; hash: Hex }

/** Anything that signs without sending: a local key, or a wallet provider's account. */
export type TransactionSigner = Pick<LocalAccount, 'address' | 'signTransaction'>

/**
 * Signs a call with everything spelled out, so that the bytes can be stored before they are sent and sent again
 * as they are. The hash is known before any node has seen them.
 */
export const signTransaction = async (
  signer: TransactionSigner,
  {
    call,
    chainId,
    nonce,
    gas,
    fees,
  }: { call: PreparedCall; chainId: number; nonce: number; gas: bigint; fees: Fees },
): Promise<SignedTransaction> => {
  const rawTransaction = await signer.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    gas,
    ...fees,
    ...call,
  })
  return { rawTransaction, hash: keccakOfHex(rawTransaction) }
}
