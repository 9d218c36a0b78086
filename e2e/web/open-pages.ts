import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import { type BusyMarket, openBusyMarket } from './market/busy-market.ts'
import { type Screen, type Site, signInWithWallet, startSite, type Visitor, visit } from './site.ts'

/** What those who look at every page start from: it is there once the tests of a file run. */
export interface OpenedPages {
  readonly site: Site
  readonly market: BusyMarket
  readonly admin: PrivateKeyAccount
  /** Somebody at the first page, signed in where they have a wallet. */
  enter(screen: Screen, account: PrivateKeyAccount | undefined): Promise<Visitor>
}

/** A site with a busy market for all tests of a file. */
export function openPages(): OpenedPages {
  const admin = privateKeyToAccount(generatePrivateKey())
  let site: Site
  let market: BusyMarket
  beforeAll(async () => {
    site = await startSite({ ADMIN_WALLETS: admin.address })
    market = await openBusyMarket(site.url)
  })
  afterAll(() => site?.close())
  return {
    get site() {
      return site
    },
    get market() {
      return market
    },
    admin,
    async enter(screen, account) {
      const visitor = await visit(site, { screen, ...(account && { account }) })
      await visitor.go('/')
      if (account) await signInWithWallet(visitor.page)
      return visitor
    },
  }
}
