import type { Clock } from '../../../platform/clock/clock.ts'
import type { Offer } from '../../../ports/payments/port.ts'
import type { ReceiptKeys } from './receipt-keys.ts'

/** The extension of x402 by which a service signs what it offers and what it has delivered. */
export const OFFER_RECEIPT = 'offer-receipt'

const VERSION = 1

interface Paid {
  payer: string
  network: string
  txHash: string
}

/** Only what a signature in the form of a JWS has: headers are small. */
const signedSchema = {
  type: 'object',
  properties: { format: { const: 'jws' }, acceptIndex: { type: 'integer' }, signature: { type: 'string' } },
  required: ['format', 'signature'],
}
const schemaOf = (name: string, member: object) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { [name]: member },
  required: [name],
})
const offersSchema = schemaOf('offers', { type: 'array', items: signedSchema })
const receiptSchema = schemaOf('receipt', signedSchema)

export interface SignedReceipts {
  /** For the 402 of this URL. */
  offersFor(resourceUrl: string, offers: readonly Offer[]): Record<string, unknown>
  /** For the response that has the result. */
  receiptFor(resourceUrl: string, paid: Paid): Record<string, unknown>
}

export function createSignedReceipts(keys: ReceiptKeys, clock: Clock): SignedReceipts {
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000)
  return {
    offersFor(resourceUrl, offers) {
      const signed = offers.map(
        ({ scheme, network, asset, payTo, amount, maxTimeoutSeconds }, acceptIndex) => ({
          format: 'jws',
          acceptIndex,
          signature: keys.sign({
            version: VERSION,
            resourceUrl,
            scheme,
            network,
            asset,
            payTo,
            amount,
            validUntil: nowSeconds() + maxTimeoutSeconds,
          }),
        }),
      )
      return { [OFFER_RECEIPT]: { info: { offers: signed }, schema: offersSchema } }
    },

    receiptFor(resourceUrl, { payer, network, txHash: transaction }) {
      const issuedAt = nowSeconds()
      const signature = keys.sign({ version: VERSION, network, resourceUrl, payer, issuedAt, transaction })
      return { [OFFER_RECEIPT]: { info: { receipt: { format: 'jws', signature } }, schema: receiptSchema } }
    },
  }
}
