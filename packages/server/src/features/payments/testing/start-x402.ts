import type { AddressInfo } from 'node:net'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { App } from '../../../app.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Offer } from '../../../ports/payments/port.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { newWallet } from '../../../testing/sign-in.ts'
import { headerOf, type SignedOffer } from '../../../testing/sign-payment.ts'
import { startWorld, type WorldOptions } from '../../../testing/start-world.ts'
import type { WorldOwner } from '../../../testing/world/world-people.ts'

const path = '/api/owners/kyc/fee'

/** A world that is reached over the network, with wallets that pay by x402. The chain is given, and time is the chain's. */
export async function startX402({ chain, ...options }: WorldOptions & Required<Pick<WorldOptions, 'chain'>>) {
  const world = await startWorld({
    chain,
    settlementWaitMs: PATIENCE_MS,
    moneyOptions: { settings: { pollMs: 50, resendAfterSeconds: 0 } },
    ...options,
  })
  const { db, http, deps } = world
  world.wallClock.set(world.clock.now())
  await http.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`

  const callFee = ({ headers }: WorldOwner, payment?: SignedOffer, { http }: Pick<App, 'http'> = world) =>
    http.inject({ method: 'POST', url: path, headers: { ...headers, ...(payment ? headerOf(payment) : {}) } })

  return {
    ...world,
    url,
    engine: world.money,

    /** A plain wallet with USDC and no gas. */
    async newBuyer(amountMicro = 50_000_000n): Promise<PrivateKeyAccount> {
      const wallet = newWallet()
      if (amountMicro > 0n) await world.give(wallet.address, amountMicro)
      return wallet
    },

    /** What a payer is asked to sign now, for the fee or for something else. */
    async offerFor(terms?: { payTo: string; amountMicro: bigint }): Promise<Offer> {
      const challenge = await callFee(await world.newOwner())
      const [offer] = decodePaymentRequiredHeader(String(challenge.headers['payment-required'])).accepts
      const changes = terms && { payTo: terms.payTo, amount: String(terms.amountMicro) }
      return { ...(offer as Offer), ...changes }
    },

    /** The stock client, which asks, signs and pays. */
    payFee: ({ headers }: WorldOwner, payer: ConstructorParameters<typeof ExactEvmScheme>[0]) => {
      const stock = new x402Client().register('eip155:*', new ExactEvmScheme(payer)).setSpendControls({
        maxAmountPerPayment: '$100',
        allowedAssets: [{ network: deps.payments.network, asset: world.chain.facts.contracts.usdc }],
      })
      return wrapFetchWithPayment(fetch, stock)(`${url}${path}`, { method: 'POST', headers })
    },

    /** One call with a payment of the test's own making, or with none. */
    callFee,

    journalOf: (kind: string) =>
      db.rows<{ account: string; amountMicro: bigint; txHash: string; intentId: string | null }>(sql`
        select p.account, p.amount_micro, e.tx_hash, e.intent_id
        from journal_entries e join journal_postings p on p.entry_id = e.id
        where e.kind = ${kind} order by e.seq, p.amount_micro`),
  }
}

export type TestX402 = Awaited<ReturnType<typeof startX402>>
