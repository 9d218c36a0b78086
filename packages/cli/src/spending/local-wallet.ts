import type { PayingWallet } from '@agent-marketplace/mcp'
import {
  type JobDetail,
  type MarketplaceClient,
  MarketplaceError,
  type SigningRequest,
} from '@agent-marketplace/sdk'
import type { Home } from '../home.ts'
import { beginPurchase, buy, findPurchase, type Purchase } from '../jobs/purchase.ts'
import { readable } from '../output/amounts.ts'
import type { Caps } from './caps.ts'
import { isUsdc } from './is-usdc.ts'
import type { Ledger } from './ledger.ts'

/** Sees what the wallet is asked to sign, and throws where the caps do not allow it. */
export function guardOf(ledger: Ledger, nowMs: () => number) {
  return (request: SigningRequest): void => {
    if (request.kind === 'signIn') return
    if (request.kind === 'spendPermission') throw refused('The local wallet pays for jobs alone.')
    const { domain, message } = request.typedData
    if (!isUsdc(domain)) throw refused('The token that is requested is not known as USDC.')
    const { nonce, value } = message
    const refusal = ledger.reserve({
      nonce: [domain.chainId, domain.verifyingContract, nonce].join(':').toLowerCase(),
      amountMicro: BigInt(String(value)),
      atMs: nowMs(),
    })
    if (refusal !== undefined) throw refused(refusal)
  }
}

interface LocalWalletDeps {
  home: Home
  url: string
  /** Its signatures go through the guard of the same ledger. */
  client: MarketplaceClient
  caps: Caps
  ledger: Ledger
  nowMs: () => number
}

/** Hires and pays with the wallet of this machine, by itself, within its caps. */
export function createLocalWallet({ home, url, client, caps, ledger, nowMs }: LocalWalletDeps): PayingWallet {
  /** The purchase that the key began, or a new one. */
  function purchaseOf(order: Purchase['order'], key: string): Purchase {
    const { agentId, serviceId, input, buyerProtection } = order
    const given = JSON.stringify({ agentId, serviceId, input, buyerProtection })
    const begun = findPurchase(home, key, url)
    if (begun) return same(begun, given)
    // Nobody is asked to pay later for what the caps do not allow now.
    const amountMicro = BigInt(order.agreedPrice)
    const refusal = ledger.refusalOf({ nonce: key, amountMicro, atMs: nowMs() })
    if (refusal !== undefined) throw refused(refusal)
    return same(beginPurchase(home, { key, url, given, order, isByProgram: true }), given)
  }

  /** Purchases under way: a call that comes while the first still runs shares its outcome, and signs nothing. */
  const underWay = new Map<string, Promise<JobDetail>>()

  return {
    async hire(order, key) {
      const purchase = purchaseOf(order, key)
      // It is not stopped when the caller goes away: what is signed is sent until its outcome is known.
      const buying =
        underWay.get(key) ??
        buy(client, home, purchase, new AbortController().signal).finally(() => underWay.delete(key))
      underWay.set(key, buying)
      return buying
    },

    async readCaps() {
      const { dayMicro, totalMicro } = ledger.left(nowMs())
      return {
        of: 'local wallet',
        perJobUsdc: readable(caps.perJobMicro),
        leftOfDayUsdc: readable(dayMicro),
        leftOfMonthUsdc: null,
        leftInAllUsdc: readable(totalMicro),
      }
    },
  }
}

function same(begun: Purchase, given: string): Purchase {
  if (begun.given === given) return begun
  throw new MarketplaceError('CONFLICT', { message: 'This idempotencyKey belongs to another purchase.' })
}

const refused = (reason: string) =>
  new MarketplaceError('BUDGET_EXCEEDED', { message: `${reason} Nothing was signed.` })
