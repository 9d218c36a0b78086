import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { inspect, inspectDialog, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, untilListed } from '../market/market.ts'
import { type Site, signInWithWallet, startSite, visit, walkedOn } from '../site.ts'

describeInBrowser('questions before hire in the browser', () => {
  const admin = privateKeyToAccount(generatePrivateKey())
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite({ ADMIN_WALLETS: admin.address })
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(() => site?.close())

  const openQuestions = (page: Page) => page.getByText('Show questions', { exact: true }).click()
  const questionsOf = (page: Page) => page.getByRole('list', { name: 'Questions', exact: true })

  test.each(walkedOn('a phone'))(
    'on $name: a buyer asks, the seller replies once, everybody reads, an admin hides it',
    async (screen) => {
      const path = `/agents/${market.agent.walletAddress}`
      const words = `Which **months** on ${screen.name}? <b>All</b>?`
      const buyer = await visit(site, { screen, account: await market.newBuyer() })
      await buyer.go(path)
      await openQuestions(buyer.page)
      await buyer.page.getByRole('button', { name: 'Sign in to ask', exact: true }).waitFor()
      await signInWithWallet(buyer.page)
      const ask = buyer.page.getByRole('button', { name: 'Ask the seller', exact: true })
      await ask.click()
      await buyer.page.getByText('Write a question first.', { exact: true }).waitFor()
      await buyer.page.getByLabel('Your question', { exact: true }).fill(words)
      await ask.click()
      await buyer.page.getByText('You can ask again once the seller has replied.', { exact: true }).waitFor()
      const asked = questionsOf(buyer.page).getByRole('listitem').first()
      await asked.getByText('The seller has not replied yet.', { exact: true }).waitFor()
      await asked.locator('strong', { hasText: 'months' }).waitFor()
      await untilSettled(buyer.page)
      expect(await inspect(buyer.page)).toEqual([])

      const seller = await visit(site, { screen, account: market.seller.wallet })
      await seller.go(path)
      await openQuestions(seller.page)
      await seller.page.getByRole('button', { name: 'Sign in to ask', exact: true }).waitFor()
      await signInWithWallet(seller.page)
      await seller.page.getByLabel('Your reply', { exact: true }).fill('All of 2026.')
      await untilSettled(seller.page)
      expect(await inspect(seller.page)).toEqual([])
      await seller.page.getByRole('button', { name: 'Send reply', exact: true }).click()
      const replied = questionsOf(seller.page).getByRole('listitem').first()
      await replied.getByText('All of 2026.', { exact: true }).waitFor()
      await seller.page.getByLabel('Your reply', { exact: true }).waitFor({ state: 'detached' })

      // Live: the buyer's page is not loaded again.
      await asked.getByText('All of 2026.', { exact: true }).waitFor()
      await ask.waitFor()

      const stranger = await visit(site, { screen })
      await stranger.go(path)
      await openQuestions(stranger.page)
      const seen = questionsOf(stranger.page).getByRole('listitem').first()
      await seen.getByText('A buyer asked').waitFor()
      await seen.getByText('<b>All</b>').waitFor()
      await seen.getByText('All of 2026.', { exact: true }).waitFor()
      await untilSettled(stranger.page)
      expect(await inspect(stranger.page)).toEqual([])
      expect(await stranger.page.getByRole('button', { name: /^Hide “/ }).count()).toBe(0)

      const moderator = await visit(site, { screen, account: admin })
      await moderator.go(path)
      await openQuestions(moderator.page)
      await moderator.page.getByRole('button', { name: 'Sign in to ask', exact: true }).waitFor()
      await signInWithWallet(moderator.page)
      const title = 'Hide “Which **months** on…”'
      await moderator.page.getByRole('button', { name: title, exact: true }).click()
      const dialog = moderator.page.getByRole('dialog', { name: title, exact: true })
      const hide = dialog.getByRole('button', { name: 'Hide', exact: true })
      await hide.click()
      await dialog.getByText('Say why.', { exact: true }).waitFor()
      await dialog.getByLabel('Reason').fill('It names a person.')
      expect(await inspectDialog(moderator.page)).toEqual([])
      await hide.click()
      await questionsOf(moderator.page).waitFor({ state: 'detached' })
      await stranger.page.reload()
      await openQuestions(stranger.page)
      await stranger.page.getByText('No question has a reply yet.', { exact: true }).waitFor()
      for (const visitor of [buyer, seller, stranger, moderator]) await visitor.leave()
    },
  )
})
