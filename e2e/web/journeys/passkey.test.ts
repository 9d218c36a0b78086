import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { inspectDialog } from '../checks/inspection.ts'
import { readQr } from '../checks/qr.ts'
import { type Market, openMarket, untilListed } from '../market/market.ts'
import { type Site, startSite, useSandboxTool, visit, walkedOn } from '../site.ts'

/** Chromium would like RSA too, which no wallet on a chain can check. */
const ONE_ALGORITHM = { complaints: [expect.stringContaining('publicKey.pubKeyCredParams')] }

describeInBrowser('a newcomer without a wallet', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    const started = await startSite()
    // Browsers make passkeys for names, and not for bare addresses.
    site = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(() => site?.close())

  test.each(walkedOn('a phone'))(
    'on $name: makes a passkey, adds test money, hires on both rails and buys a plan, all by passkey',
    async (screen) => {
      const visitor = await visit(site, { screen })
      const { page } = visitor
      const { signatures } = await plugInAuthenticator(page)
      await visitor.go(`/agents/${market.agent.walletAddress}/hire`)
      await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
      const signIn = page.getByRole('dialog', { name: 'Sign in' })
      await signIn.getByText('You do not need one').waitFor()
      expect(await inspectDialog(page)).toEqual([])
      expect(await page.evaluate(loadedScripts)).not.toContain('passkey-wallet')
      await signIn.getByRole('button', { name: 'New passkey wallet' }).click()
      await page.getByRole('button', { name: /^Account Passkey 1/ }).waitFor()
      expect(await signatures()).toBeGreaterThan(0)

      // Below 100 USDC the money goes straight to the agent, and the wallet is deployed on the way.
      await order(page, 'Receipt check', 'Check my receipts')
      await page.getByText('You are 25.00 USDC short.').waitFor()
      const address = await fundFromHere(page)
      const moved = await market.moneyMovedBy(address, async () => {
        await page.getByRole('button', { name: 'Hire for 25.00 USDC' }).click()
        await page.getByRole('heading', { name: 'Ledger Lark is at work' }).waitFor()
      })
      expect(moved).toEqual({ buyer: -25_000_000n, agent: 25_000_000n, treasury: 0n, escrow: 0n })

      await visitor.go(`/agents/${market.agent.walletAddress}/hire`)
      await order(page, 'Monthly close', 'Close October')
      const held = await market.moneyMovedBy(address, async () => {
        await page.getByRole('button', { name: 'Hire for 150.00 USDC' }).click()
        await page.getByRole('heading', { name: 'Ledger Lark is at work' }).waitFor()
      })
      expect(held).toEqual({ buyer: -150_000_000n, agent: 0n, treasury: 0n, escrow: 150_000_000n })

      // After a reload the same passkey signs; quota is pulled from the wallet itself.
      await visitor.go('/sell/verify')
      await page.getByLabel('Full name').fill('Paula Plover')
      await page.getByLabel('Email').fill('paula@example.com')
      await page.getByLabel('Country').fill('Estonia')
      await page.getByRole('button', { name: 'Register and verify' }).click()
      await page.getByRole('button', { name: 'Approve me (sandbox)' }).click()
      await page.getByRole('button', { name: /^Sign and pay/ }).click()
      await page.getByRole('heading', { name: 'You can sell' }).waitFor()
      const before = await signatures()
      const balanceBefore = (await market.balancesOf({ address })).address
      await visitor.go('/sell/plans')
      await page.getByText('Your wallet is a smart account').waitFor()
      await page.getByLabel('Exactly').fill('12')
      await page.getByRole('button', { name: 'Buy 12 agents for 11.70 USDC' }).click()
      await page.getByText('12 agents', { exact: true }).waitFor()
      // A plan is there from its signature on. It is paid a little later, when the wallet's transaction is on chain.
      await page.getByText('Paid until', { exact: true }).waitFor()
      expect(balanceBefore - (await market.balancesOf({ address })).address).toBe(11_700_000n)
      expect(await signatures()).toBe(before + 1)
      await visitor.leave(ONE_ALGORITHM)
    },
  )

  test.each(walkedOn('a desktop'))(
    'on $name: another wallet pays by escrow first, before it is deployed, and is gone back to',
    async (screen) => {
      const visitor = await visit(site, { screen })
      const { page } = visitor
      const { passkeys } = await plugInAuthenticator(page)
      await visitor.go('/jobs')
      await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
      // A passkey whose wallet could not be read from the chain is not lost: the next attempt goes on with it.
      const error = { code: -32000, message: 'the chain is away' }
      await page.route('**/rpc', (route) => route.fulfill({ json: { jsonrpc: '2.0', id: 1, error } }))
      const create = page.getByRole('button', { name: 'New passkey wallet' })
      await create.click()
      await expect.poll(passkeys).toHaveLength(1)
      const made = await passkeys()
      await create.waitFor()
      await page.unroute('**/rpc')
      await create.click()
      const account = page.getByRole('button', { name: /^Account Passkey 1/ })
      await account.waitFor()
      expect(await passkeys()).toEqual(made)
      await account.click()
      await page.getByRole('menuitem', { name: 'Add USDC' }).click()
      const address = await fundFromHere(page)
      await visitor.go(`/agents/${market.agent.walletAddress}/hire`)
      await order(page, 'Monthly close', 'Close November')
      const held = await market.moneyMovedBy(address, async () => {
        await page.getByRole('button', { name: 'Hire for 150.00 USDC' }).click()
        await page.getByRole('heading', { name: 'Ledger Lark is at work' }).waitFor()
      })
      expect(held.escrow).toBe(150_000_000n)

      await visitor.go('/')
      await useSandboxTool(page, 'Act as', 'New')
      const other = page.getByRole('button', { name: /^Account Wallet 1/ })
      await other.click()
      await page.getByRole('menuitem', { name: 'Switch wallet' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Passkey 1/ })
        .click()
      await account.waitFor()
      await visitor.leave(ONE_ALGORITHM)
    },
  )
})

/** Chromium's own authenticator, which says yes to everything. Returns its passkeys, and how often they have signed. */
async function plugInAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const read = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    passkeys: async () => (await read()).map(({ credentialId }) => credentialId),
    signatures: async () => (await read()).reduce((sum, { signCount }) => sum + signCount, 0),
  }
}

const loadedScripts = () =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .join(' ')

/** Adds test money in the dialog that says where it goes, and returns the address that its code shows. */
async function fundFromHere(page: Page): Promise<string> {
  const short = page.getByRole('alert').getByRole('button', { name: 'Add USDC' })
  if ((await short.count()) > 0) await short.click()
  const dialog = page.getByRole('dialog', { name: 'Add USDC' })
  await dialog.getByText('Never send real USDC').waitFor()
  const address = await readQr(dialog.getByRole('img', { name: 'QR code of the address' }))
  await dialog.getByText(address, { exact: true }).waitFor()
  await dialog.getByText('0.00 USDC').waitFor()
  expect(await dialog.getByRole('link', { name: /^Buy USDC/ }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Get 1,000.00 test USDC' }).click()
  await dialog.getByText('1,000.00 USDC arrived.').waitFor()
  expect(await inspectDialog(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  return address
}

async function order(page: Page, service: string, title: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(service) }).check({ force: true })
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Description').fill('Everything in the folder.')
  await page.getByRole('button', { name: 'Review order' }).click()
}
