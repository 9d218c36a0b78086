import { randomBytes } from 'node:crypto'
import { buildTransferAuthorization } from '@agent-marketplace/chain'
import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Clock } from '../platform/clock/clock.ts'
import type { ChainPort, Hex } from '../ports/chain/port.ts'
import type { Offer, Payment } from '../ports/payments/port.ts'

export interface SignedOffer {
  payment: Payment
  offer: Offer
}

/** The times and the nonce of an EIP-3009 authorization that is good for a while from now. */
export function newValidity({ now }: Clock, seconds = 3600) {
  return {
    validAfter: 0n,
    validBefore: BigInt(Math.floor(now().getTime() / 1000) + seconds),
    nonce: `0x${randomBytes(32).toString('hex')}` as Hex,
  }
}

/** Signs an offer the way a client does, with any field changed before the signature. */
export async function signPayment(
  { chain, clock }: { chain: Pick<ChainPort, 'facts'>; clock: Clock },
  payer: PrivateKeyAccount,
  offer: Offer,
  changes: Partial<Payment> = {},
): Promise<SignedOffer> {
  const { usdc, contracts, chainId } = chain.facts
  const unsigned = {
    payer: payer.address,
    payTo: offer.payTo as Hex,
    amountMicro: BigInt(offer.amount),
    ...newValidity(clock, offer.maxTimeoutSeconds),
    ...changes,
  }
  const { payer: from, payTo: to, amountMicro: value, validAfter, validBefore, nonce } = unsigned
  const signature = await payer.signTypedData(
    buildTransferAuthorization({
      token: { address: contracts.usdc as Hex, name: usdc.name, version: usdc.version, chainId },
      authorization: { from, to, value, validAfter, validBefore, nonce },
    }),
  )
  return { payment: { ...unsigned, signature }, offer }
}

/** The payment as a client sends it. */
export function headerOf({ payment, offer }: SignedOffer): { 'payment-signature': string } {
  const { payer: from, payTo: to, amountMicro, validAfter, validBefore, nonce, signature } = payment
  const authorization = {
    from,
    to,
    value: amountMicro.toString(),
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
    nonce,
  }
  const payload = { signature, authorization }
  return {
    'payment-signature': encodePaymentSignatureHeader({ x402Version: 2, accepted: offer, payload }),
  }
}
