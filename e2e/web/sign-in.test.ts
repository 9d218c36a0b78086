import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../browser/browser.ts'
import { hasFocus } from './checks/focus.ts'
import type { InjectedWallet } from './injected-wallet.ts'
import { type Market, openMarket, untilListed } from './market/market.ts'
import { type Site, screens, signInWithWallet, startSite, useSandboxTool, visit } from './site.ts'

const [desktop] = screens

describeInBrowser('signing in', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(() => site?.close())

  /** Begins to sign in with the browser's wallet, and closes the dialog while the wallet has not responded. */
  const leaveWaiting = async (page: Page, wallet: InjectedWallet, method: string) => {
    const request = wallet.holdNext(method)
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByRole('button', { name: 'Test Wallet', exact: true }).click()
    await request.made
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    return request
  }

  test('a dialog that was closed signs nobody in, whenever the wallet responds', async () => {
    const visitor = await visit(site, { screen: desktop, account: await market.newBuyer() })
    const { page, wallet } = visitor
    if (!wallet) throw new Error('the visitor has no wallet')
    const signIns: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/verify-signature')) signIns.push(request.postDataJSON().walletAddress)
    })
    await visitor.go('/jobs')
    const open = page.getByRole('button', { name: 'Sign in with a wallet' })
    const account = (name: string) => page.getByRole('button', { name: new RegExp(`^Account ${name}`) })

    await open.click()
    const connecting = await leaveWaiting(page, wallet, 'eth_requestAccounts')
    connecting.release()
    await open.click()
    await page.getByRole('button', { name: /^Test buyer/ }).click()
    await account('Test buyer').waitFor()
    expect(wallet.signed).toEqual([])

    // Closed while the wallet asks for the signature; somebody else signs in before it comes.
    await account('Test buyer').click()
    await page.getByRole('menuitem', { name: 'Switch wallet' }).click()
    const signing = await leaveWaiting(page, wallet, 'personal_sign')
    await account('Test buyer').click()
    await page.getByRole('menuitem', { name: 'Switch wallet' }).click()
    await page.getByRole('button', { name: /^Test seller/ }).click()
    await account('Test seller').waitFor()
    signing.release()
    await expect.poll(() => wallet.signed).toEqual(['personal_sign'])
    // What the page would send has been sent by the time that this call is back.
    await page.evaluate(async () => (await fetch('/api/config')).json())
    expect(signIns).toHaveLength(2)
    expect(signIns).not.toContain(wallet.account.address)
    await page.reload()
    await account('Test seller').waitFor()
    await visitor.leave()
  })

  test('the draft of an order is shown to the wallet that wrote it, and to no other', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go(`/agents/${market.agent.walletAddress}/hire`)
    await useSandboxTool(page, 'Act as', 'Buyer')
    const description = page.getByLabel('Description')
    await description.fill('The books of a client.')
    await useSandboxTool(page, 'Act as', 'New')
    await page.getByRole('button', { name: /^Account Wallet 1/ }).waitFor()
    await expect.poll(() => description.inputValue()).toBe('')

    await description.fill('Something else.')
    await page.reload()
    await expect.poll(() => description.inputValue()).toBe('Something else.')
    await useSandboxTool(page, 'Act as', 'Buyer')
    await page.getByRole('button', { name: /^Account Test buyer/ }).waitFor()
    await expect.poll(() => description.inputValue()).toBe('The books of a client.')
    await visitor.leave()
  })

  test('the focus stays on what was pressed, and goes to the heading where that is gone', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go('/jobs')
    const account = page.getByRole('button', { name: /^Account/ })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

    // While it works, a button takes no second press, and keeps the focus.
    const signIns: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/verify-signature')) signIns.push(request.url())
    })
    const buyer = page.getByRole('complementary', { name: 'Sandbox' }).getByRole('button', { name: 'Buyer' })
    await buyer.press('Enter')
    await page.keyboard.press('Enter')
    await account.waitFor()
    await heading('Jobs').waitFor()
    await hasFocus(buyer)
    expect(signIns).toHaveLength(1)

    // The menu and the page of the account are gone.
    await account.press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
    await hasFocus(heading('Sign in to see your jobs'))

    // The button that opened the dialog is gone.
    await page.getByRole('button', { name: 'Sign in with a wallet' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByRole('button', { name: /^New test wallet/ }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await hasFocus(heading('Jobs'))

    // One that is still there gets it back.
    await account.press('Enter')
    await page.getByRole('menuitem', { name: 'Switch wallet' }).press('Enter')
    await dialog.getByRole('button', { name: /^Test seller/ }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account Test seller/ }).waitFor()
    await hasFocus(account)
    await visitor.leave()
  })

  test('a form is sent once, however often it is submitted while the call is pending', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/developers/keys')
    await signInWithWallet(page)
    const released = Promise.withResolvers<void>()
    let sent = 0
    await page.route('**/api/api-keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent += 1
      await released.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Make a key' }).click()
    const form = page.getByRole('dialog', { name: 'Make an API key' })
    const name = form.getByLabel('Name', { exact: true })
    await name.fill('Nightly import')
    await name.press('Enter')
    await form.locator('button[aria-busy=true]').waitFor()
    await name.press('Enter')
    await form.locator('button[aria-busy=true]').press('Enter')
    released.resolve()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    expect(sent).toBe(1)
    await visitor.leave()
  })
})
