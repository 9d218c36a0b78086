import { randomBytes } from 'node:crypto'
import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainPort, SandboxChain } from '../../../ports/chain/port.ts'
import type { Offer, Payment } from '../../../ports/payments/port.ts'

/** The payment as a client sends it. */
export function headerOf({ payment, offer }: { payment: Payment; offer: Offer }): {
  'payment-signature': string
} {
  const { payer: from, payTo: to, amountMicro, validAfter, validBefore, nonce, signature } = payment
  const authorization = {
    from,
    to,
    value: amountMicro.toString(),
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
    nonce,
  }
  return {
    'payment-signature': encodePaymentSignatureHeader({
      x402Version: 2,
      accepted: offer,
      payload: { signature, authorization },
    }),
  }
}

/** Signs an offer the way a client does, with any field changed before the signature. */
export async function signPayment(
  chain: { chain: Pick<ChainPort, 'facts'>; sandbox: Pick<SandboxChain, 'now'> },
  payer: PrivateKeyAccount,
  offer: Offer,
  changes: Partial<Payment> = {},
): Promise<{ payment: Payment; offer: Offer }> {
  const unsigned = {
    payer: payer.address,
    payTo: offer.payTo as `0x${string}`,
    amountMicro: BigInt(offer.amount),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(chain.sandbox.now().getTime() / 1000) + offer.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}` as const,
    ...changes,
  }
  const { usdc, contracts, chainId } = chain.chain.facts
  const signature = await payer.signTypedData({
    domain: {
      name: usdc.name,
      version: usdc.version,
      chainId,
      verifyingContract: contracts.usdc as `0x${string}`,
    },
    primaryType: 'TransferWithAuthorization',
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    message: {
      from: unsigned.payer,
      to: unsigned.payTo,
      value: unsigned.amountMicro,
      validAfter: unsigned.validAfter,
      validBefore: unsigned.validBefore,
      nonce: unsigned.nonce,
    },
  })
  return { payment: { ...unsigned, signature }, offer }
}
