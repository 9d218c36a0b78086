import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { withBazaar } from '@x402/extensions/bazaar'
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  type SignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier'
import { createSIWxClientExtension } from '@x402/extensions/sign-in-with-x'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'

/** Something to buy, as the catalogue shows it. */
export interface Found {
  url: string
  name: string | undefined
  /** What a call for it looks like. */
  example: unknown
  network: `${string}:${string}`
  asset: string
  /** Its price, in the asset's smallest units. */
  amount: string
}

export interface Ordered {
  status: number
  data: { jobId: string; status: string; url: string; result: { output: unknown } | null }
  /** What is wrong with the body. */
  issues: { path: string }[] | undefined
  /** The transaction that paid for it. */
  transaction: string | undefined
}

/** What the shop has signed, as its own DID document lets one verify it. */
export interface Proof {
  offer: { amount: string; payTo: string }
  receipt: { payer: string; transaction: string }
  /** Whether the receipt is for the offer, this buyer and this hour. */
  matches: boolean
}

interface OrderOptions {
  /** By which the purchase is known when it is repeated. */
  id?: string
  signal?: AbortSignal
}

/** Someone who has never heard of the marketplace: a wallet, the stock x402 packages, and viem. Nothing of ours acts here. */
export function createStockBuyer(wallet: PrivateKeyAccount, facilitatorUrl: string) {
  const facilitator = withBazaar(new HTTPFacilitatorClient({ url: facilitatorUrl }))

  /** By default stock clients pay at most 1 USDC, in the tokens that they know. This one pays what the catalogue says. */
  function clientFor({ network, asset, amount }: Found, { id }: OrderOptions = {}): x402Client {
    const client = new x402Client()
      .register(network, new ExactEvmScheme(wallet))
      .setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment: amount }] })
    if (id === undefined) return client
    return client.onBeforePaymentCreation(async ({ paymentRequired }) => {
      appendPaymentIdentifierToExtensions(paymentRequired.extensions ?? {}, id)
    })
  }

  async function readResponse(response: Response): Promise<Ordered> {
    const { data, error } = await response.json()
    const settled = response.headers.get('payment-response')
    return {
      status: response.status,
      data,
      issues: error?.details.issues,
      transaction: settled === null ? undefined : decodePaymentResponseHeader(settled).transaction,
    }
  }

  return {
    async find(query: string): Promise<Found[]> {
      const { resources } = await facilitator.extensions.bazaar.search({ query })
      return resources.map(({ resource: url, serviceName, accepts, extensions }) => {
        const [offer] = accepts
        if (!offer) throw new Error(`nothing is offered at ${url}`)
        const { network, asset, amount } = offer
        const { info } = (extensions as { bazaar: { info: { input: { body: unknown } } } }).bazaar
        return { url, name: serviceName, example: info.input.body, network, asset, amount }
      })
    },

    /** Asks, pays and waits for the result, in one call of theirs. */
    async order(found: Found, input: unknown, options: OrderOptions = {}): Promise<Ordered> {
      const { signal = null } = options
      // With each call: the stock client copies its request, and a copy no longer follows the signal once Node has
      // collected the request that it was made from.
      const abortable: typeof fetch = (request, init) => fetch(request, { ...init, signal })
      const paidFetch = wrapFetchWithPayment(abortable, clientFor(found, options))
      const headers = { 'content-type': 'application/json', prefer: 'wait=120' }
      const body = JSON.stringify(input)
      return readResponse(await paidFetch(found.url, { method: 'POST', headers, body }))
    },

    /** The same, with the signed offer and the signed receipt. */
    async orderWithProof(found: Found, input: unknown): Promise<{ ordered: Ordered; proof: Proof }> {
      let offers: SignedOffer[] = []
      const client = clientFor(found).onBeforePaymentCreation(async ({ paymentRequired }) => {
        offers = extractOffersFromPaymentRequired(paymentRequired)
      })
      const headers = { 'content-type': 'application/json', prefer: 'wait=120' }
      const body = JSON.stringify(input)
      const response = await wrapFetchWithPayment(fetch, client)(found.url, { method: 'POST', headers, body })
      const [signed] = offers
      const [decoded] = decodeSignedOffers(offers)
      const receipt = extractReceiptFromResponse(response)
      if (signed?.format !== 'jws' || receipt?.format !== 'jws' || !decoded)
        throw new Error('nothing was signed')
      return {
        ordered: await readResponse(response),
        proof: {
          offer: await verifyOfferSignatureJWS(signed),
          receipt: await verifyReceiptSignatureJWS(receipt),
          matches: verifyReceiptMatchesOffer(receipt, decoded, [wallet.address]),
        },
      }
    },

    /** Opens what was paid for, by signing in with the wallet. */
    async open(found: Found, url: string): Promise<Ordered> {
      const signIn = createSIWxClientExtension({ signers: [wallet] })
      const client = clientFor(found).registerExtension(signIn)
      return readResponse(await wrapFetchWithPayment(fetch, client)(url))
    },
  }
}
