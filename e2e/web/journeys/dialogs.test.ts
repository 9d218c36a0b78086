import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import {
  adminTitles,
  buyerTitles,
  lookAsAdmin,
  lookAsBuyer,
  lookAsSeller,
  lookAsStranger,
  sellerTitles,
  strangerTitles,
} from '../checks/dialogs.ts'
import { type BusyMarket, openBusyMarket } from '../market/busy-market.ts'
import { orderJob } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, visit } from '../site.ts'

describeInBrowser('the dialogs', () => {
  const admin = privateKeyToAccount(generatePrivateKey())
  let site: Site
  let market: BusyMarket

  beforeAll(async () => {
    site = await startSite({ ADMIN_WALLETS: admin.address })
    market = await openBusyMarket(site.url)
  })
  afterAll(() => site?.close())

  const openers = [
    { who: 'a buyer', account: () => market.buyer.wallet, look: lookAsBuyer, titles: buyerTitles },
    { who: 'a seller', account: () => market.seller.wallet, look: lookAsSeller, titles: sellerTitles },
    { who: 'an administrator', account: () => admin, look: lookAsAdmin, titles: adminTitles },
  ]

  test.each(openers)('are fit for $who', async ({ account, look, titles }) => {
    const visitor = await visit(site, { screen: screens[1], account: account() })
    await visitor.go('/jobs')
    await signInWithWallet(visitor.page)
    const findings = await look(visitor, market)
    const faults = Object.entries(findings).filter(([, found]) => found.length > 0)
    expect(Object.fromEntries(faults)).toEqual({})
    expect(Object.keys(findings)).toEqual(expect.arrayContaining(titles))
    await visitor.leave()
  })

  test('are fit for a stranger', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const findings = await lookAsStranger(visitor)
    const faults = Object.entries(findings).filter(([, found]) => found.length > 0)
    expect(Object.fromEntries(faults)).toEqual({})
    expect(Object.keys(findings)).toEqual(strangerTitles)
    await visitor.leave()
  })

  test('news never lie on what a dialog asks, on a phone', async () => {
    const visitor = await visit(site, { screen: screens[1], account: market.seller.wallet })
    const { page } = visitor
    await visitor.go(`/jobs/${market.jobs.running}`)
    await signInWithWallet(page)
    await orderJob(market, market.buyer, 'Close January', '20000000')
    // A toast under the pointer stays.
    await page.getByText('“Close January”').hover()
    await page.getByRole('button', { name: 'Deliver the work' }).focus()
    await page.keyboard.press('Enter')
    const deliver = page.getByRole('dialog').getByRole('button', { name: 'Deliver the work' })
    await deliver.click({ trial: true })
    await orderJob(market, market.buyer, 'Close February', '20000000')
    await page.getByText('“Close February”').waitFor()
    await deliver.click({ trial: true })
    await visitor.leave()
  })
})
