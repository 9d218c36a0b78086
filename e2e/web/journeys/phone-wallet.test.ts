import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../../packages/server/src/testing/patience.ts'
import { describeInBrowser, openPage } from '../../browser/browser.ts'
import { inspectDialog } from '../checks/inspection.ts'
import { readQr } from '../checks/qr.ts'
import { type Market, openMarket, untilListed } from '../market/market.ts'
import { type Site, screens, startSite, useSandboxTool, visit } from '../site.ts'
import { openPhoneWallet } from '../wallets/phone-wallet.ts'
import { type Relay, startRelay } from '../wallets/relay.ts'

const PROJECT = '0123456789abcdef0123456789abcdef'
const ONRAMP = 'https://pay.example/buy?to={address}'
const [desktop] = screens

describeInBrowser('a wallet on a phone', () => {
  let relay: Relay
  let site: Site
  let market: Market

  beforeAll(async () => {
    relay = await startRelay()
    site = await startSite({
      WALLETCONNECT_PROJECT_ID: PROJECT,
      WALLETCONNECT_RELAY_URL: relay.url,
      ONRAMP_URL: ONRAMP,
    })
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(async () => {
    await site?.close()
    await relay?.close()
  })

  test('scans the code, signs in, pays for a job, is still connected after a reload, and no longer after signing out', async () => {
    const account = await market.newBuyer()
    const context = await site.browser.newContext({ viewport: desktop.viewport, reducedMotion: 'reduce' })
    // The service that shows wallets which site asks is not of this machine.
    await context.route('https://verify.walletconnect.org/**', (route) => route.abort())
    const { page, problems, foreignRequests } = await openPage(context, site.url)
    await page.goto(`${site.url}/agents/${market.agent.walletAddress}/hire`)
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    const choice = dialog.getByRole('button', { name: /^Wallet on your phone/ })
    await choice.waitFor()
    const scripts = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect((await scripts()).filter((name) => name.includes('walletconnect'))).toEqual([])
    expect([relay.projects, foreignRequests]).toEqual([[], []])

    await choice.click()
    const uri = await readQr(dialog.getByRole('img', { name: 'QR code to connect your wallet' }))
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
    expect(relay.projects).toEqual([PROJECT])
    expect((await scripts()).filter((name) => name.includes('walletconnect')).length).toBeGreaterThan(0)
    expect(
      await dialog.getByRole('link', { name: 'Open a wallet on this device' }).getAttribute('href'),
    ).toBe(uri)
    expect(await inspectDialog(page)).toEqual([])

    const phone = await openPhoneWallet(account, { url: relay.url, projectId: PROJECT })
    await phone.scan(uri)
    await page.getByRole('button', { name: /^Account Pocket Wallet/ }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(phone.signed).toEqual(['personal_sign'])

    await page.reload()
    await page.getByRole('radio', { name: /Receipt check/ }).check({ force: true })
    await page.getByLabel('Title').fill('Check my receipts')
    await page.getByLabel('Description').fill('Everything of October.')
    await page.getByRole('button', { name: 'Review order' }).click()
    const moved = await market.moneyMovedBy(account.address, async () => {
      await page.getByRole('button', { name: 'Hire for 25.00 USDC' }).click()
      await page.getByRole('heading', { name: 'Ledger Lark is at work' }).waitFor()
    })
    expect(moved).toMatchObject({ buyer: -25_000_000n, agent: 25_000_000n })
    expect(phone.signed).toEqual(['personal_sign', 'eth_signTypedData_v4'])
    expect(phone.ended()).toBe(0)
    await page.getByRole('button', { name: /^Account Pocket Wallet/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await vi.waitUntil(() => phone.ended() === 1, { timeout: PATIENCE_MS })
    await phone.close()
    await context.close()
    // Nothing else than the question of which site asks left the page.
    const hosts = new Set(foreignRequests.map((url) => new URL(url).host))
    expect([...hosts]).toEqual(['verify.walletconnect.org'])
    expect(problems.filter((problem) => !problem.includes('verify.walletconnect.org'))).toEqual([])
  })

  test('the code can be left again, and another way is taken', async () => {
    const visitor = await visit(site, { screen: screens[1] })
    const { page } = visitor
    await page.route('https://verify.walletconnect.org/**', (route) => route.abort())
    await visitor.go('/jobs')
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
    await page.getByRole('button', { name: /^Wallet on your phone/ }).click()
    const code = page.getByRole('img', { name: 'QR code to connect your wallet' })
    const uri = await readQr(code)
    expect(await inspectDialog(page)).toEqual([])
    await page.getByRole('button', { name: 'Back' }).click()
    await code.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Test buyer/ }).click()
    const account = page.getByRole('button', { name: /^Account Test buyer/ })
    await account.waitFor()
    // A phone that approves the code that was left is not kept connected, and signs nothing.
    const phone = await openPhoneWallet(await market.newBuyer(), { url: relay.url, projectId: PROJECT })
    await phone.scan(uri)
    await vi.waitUntil(() => phone.ended() === 1, { timeout: PATIENCE_MS })
    expect(phone.signed).toEqual([])
    await phone.close()

    // The place to buy USDC is offered with the wallet in it.
    await account.click()
    await page.getByRole('menuitem', { name: 'Add USDC' }).click()
    const funding = page.getByRole('dialog', { name: 'Add USDC' })
    const address = await readQr(funding.getByRole('img', { name: 'QR code of the address' }))
    const link = funding.getByRole('link', { name: /^Buy USDC/ })
    expect(await link.getAttribute('href')).toBe(`https://pay.example/buy?to=${address}`)
    expect(await link.getAttribute('rel')).toBe('noreferrer')
    expect(await inspectDialog(page)).toEqual([])
    await page.context().close()
  })

  test('is disconnected when another wallet takes its place', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await page.route('https://verify.walletconnect.org/**', (route) => route.abort())
    await visitor.go('/jobs')
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
    await page.getByRole('button', { name: /^Wallet on your phone/ }).click()
    const uri = await readQr(page.getByRole('img', { name: 'QR code to connect your wallet' }))
    const phone = await openPhoneWallet(await market.newBuyer(), { url: relay.url, projectId: PROJECT })
    await phone.scan(uri)
    await page.getByRole('button', { name: /^Account Pocket Wallet/ }).waitFor()
    // The page was opened again since: it knows the connection from what it stored.
    await page.reload()
    await page.getByRole('button', { name: /^Account Pocket Wallet/ }).waitFor()
    expect(phone.ended()).toBe(0)
    await useSandboxTool(page, 'Act as', 'Buyer')
    await page.getByRole('button', { name: /^Account Test buyer/ }).waitFor()
    await vi.waitUntil(() => phone.ended() === 1, { timeout: PATIENCE_MS })
    await phone.close()
    await page.context().close()
  })

  test('is not kept connected when it declines to sign', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await page.route('https://verify.walletconnect.org/**', (route) => route.abort())
    await visitor.go('/jobs')
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
    await page.getByRole('button', { name: /^Wallet on your phone/ }).click()
    const uri = await readQr(page.getByRole('img', { name: 'QR code to connect your wallet' }))
    const relayed = { url: relay.url, projectId: PROJECT }
    const phone = await openPhoneWallet(await market.newBuyer(), relayed, { declines: true })
    await phone.scan(uri)
    await vi.waitUntil(() => phone.ended() === 1, { timeout: PATIENCE_MS })
    await phone.close()
    await page.context().close()
  })

  test('the page may talk to the relay, and to no other host', async () => {
    const { headers } = await fetch(`${site.url}/`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`connect-src 'self' ${relay.url} https://verify.walletconnect.org;`)
    expect(policy).toContain('frame-src https://verify.walletconnect.org;')
  })
})

describeInBrowser('without a WalletConnect project', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site?.close())

  test('the phone is not offered, and nothing leaves the site', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go('/jobs')
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
    await page.getByRole('button', { name: /^New test wallet/ }).waitFor()
    expect(await page.getByRole('button', { name: /^Wallet on your phone/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Coinbase/ }).count()).toBe(0)
    const { headers } = await fetch(`${site.url}/`)
    expect(headers.get('content-security-policy')).toContain("connect-src 'self';")
    expect(headers.get('content-security-policy')).not.toContain('frame-src')
    await visitor.leave()
  })

  test('on Base a Coinbase Smart Wallet is offered, in a window of its own', async () => {
    const context = await site.browser.newContext({ viewport: desktop.viewport })
    await context.route('https://keys.coinbase.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Keys</title>' }),
    )
    const { page, foreignRequests } = await openPage(context, site.url)
    await page.route('**/api/config', async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      const chain = { ...data.chain, id: 84532, name: 'Base Sepolia' }
      await route.fulfill({ response, json: { data: { ...data, chain } } })
    })
    await page.goto(`${site.url}/jobs`)
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
    const choice = page.getByRole('button', { name: /^Coinbase Smart Wallet/ })
    await choice.waitFor()
    expect(foreignRequests).toEqual([])
    const opening = context.waitForEvent('page')
    await choice.click()
    const popup = await opening
    await vi.waitUntil(() => popup.url().startsWith('https://keys.coinbase.com/connect'), {
      timeout: PATIENCE_MS,
    })
    expect(await popup.evaluate(() => window.opener !== null)).toBe(true)
    await popup.close()
    // Who closes that window without a word can try again.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
    await vi.waitUntil(() => choice.isEnabled(), { timeout: PATIENCE_MS })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })
})
