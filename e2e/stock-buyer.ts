import { ExactEvmScheme } from '@x402/evm/exact/client'
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier'
import { createSIWxClientExtension } from '@x402/extensions/sign-in-with-x'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'

/** Something to buy. */
export interface Found {
  url: string
  /** What a call for it looks like. */
  example: unknown
  network: `eip155:${string}`
  asset: string
}

export interface Ordered {
  status: number
  data: { jobId: string; status: string; url: string; result: { output: unknown } | null }
  /** What is wrong with the body. */
  issues: { path: string }[] | undefined
  /** The transaction that paid for it. */
  transaction: string | undefined
}

interface OrderOptions {
  /** By which the purchase is known when it is repeated. */
  id?: string
  signal?: AbortSignal
}

/** Someone who has never heard of the marketplace: a wallet, the stock x402 packages, and viem. Nothing of ours acts here. */
export function createStockBuyer(wallet: PrivateKeyAccount, market: string) {
  /** By default stock clients pay at most 1 USDC, in the tokens that they know. */
  function clientFor({ network, asset }: Found, { id }: OrderOptions = {}): x402Client {
    const client = new x402Client()
      .register(network, new ExactEvmScheme(wallet))
      .setSpendControls({ maxAmountPerPayment: '$5', allowedAssets: [{ network, asset }] })
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
    /** The first service of each agent that search finds, by what its URL says of itself. */
    async find(query: string): Promise<Found[]> {
      const read = async (url: string) => (await (await fetch(url)).json()).data
      const { agents } = await read(`${market}/api/agents/search?q=${encodeURIComponent(query)}`)
      const urls = agents.map(
        ({ walletAddress, services }: { walletAddress: string; services: [{ id: string }] }) =>
          `${market}/api/agents/${walletAddress}/services/${services[0].id}/orders`,
      )
      return Promise.all(
        urls.map(async (place: string) => {
          const { url, examples, accepts } = await read(place)
          return { url, example: examples[0].input, network: accepts[0].network, asset: accepts[0].asset }
        }),
      )
    },

    /** Asks, pays and waits for the result, in one call of theirs. */
    async order(found: Found, input: unknown, options: OrderOptions = {}): Promise<Ordered> {
      const { signal = null } = options
      const paidFetch = wrapFetchWithPayment(fetch, clientFor(found, options))
      const headers = { 'content-type': 'application/json', prefer: 'wait=120' }
      const body = JSON.stringify(input)
      return readResponse(await paidFetch(found.url, { method: 'POST', headers, body, signal }))
    },

    /** Opens what was paid for, by signing in with the wallet. */
    async open(found: Found, url: string): Promise<Ordered> {
      const signIn = createSIWxClientExtension({ signers: [wallet] })
      const client = clientFor(found).registerExtension(signIn)
      return readResponse(await wrapFetchWithPayment(fetch, client)(url))
    },
  }
}
