import {
  buildSafeTransaction,
  type ChainClient,
  getSafeState,
  hashSafeTransaction,
  prepareSafeExecution,
  recoverTypedDataSigner,
  toJsonTypedData,
} from '@agent-marketplace/chain'
import type { ArbiterSafe, EscrowCalls, Hex, Ruling } from './port.ts'

export interface ArbiterSafeOptions {
  client: ChainClient
  safe: Hex
  chainId: number
  escrow: Pick<EscrowCalls, 'rule'>
}

/** The arbiter is a Safe: its owners sign one plain call on the escrow, and anyone can send it. */
export function createArbiterSafe({ client, safe, chainId, escrow }: ArbiterSafeOptions): ArbiterSafe {
  const transactionOf = ({ escrowKey: key, sellerBps, safeNonce: nonce }: Ruling) =>
    buildSafeTransaction({ chainId, safe, call: escrow.rule({ key, sellerBps }), nonce })

  return {
    address: safe,
    readState: () => getSafeState(client, { safe }),

    planOf(ruling) {
      const transaction = transactionOf(ruling)
      const { to, data } = transaction.message
      return {
        safe,
        to,
        data,
        safeTxHash: hashSafeTransaction(transaction),
        typedData: toJsonTypedData(transaction),
      }
    },

    async readSignature(ruling, given) {
      const signature = withEthereumParity(given)
      const owner = await recoverTypedDataSigner({ typedData: transactionOf(ruling), signature })
      return owner && { owner, signature }
    },

    executionOf: (ruling, signatures) =>
      prepareSafeExecution({ transaction: transactionOf(ruling), signatures }),
  }
}

/** Some wallets end a signature with 0 or 1, which a Safe reads as other kinds of signature than these. */
function withEthereumParity(signature: Hex): Hex {
  const last = Number.parseInt(signature.slice(-2), 16)
  return last < 2 ? `0x${signature.slice(2, -2)}${(last + 27).toString(16)}` : signature
}
