import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { hasFocus } from '../checks/focus.ts'
import { type Market, openMarket, succeed, untilListed } from '../market/market.ts'
import { type Site, screens, startSite, visit } from '../site.ts'

/** More than any of these pages has stops before the one that is looked for. */
const MANY_STOPS = 100

describeInBrowser('hiring without a pointer', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(() => site?.close())

  test('signs in, finds an agent, orders with buyer protection and pays, with the focus in sight at every stop', async () => {
    const { body } = await market.seller.get('/api/sandbox/wallets')
    const buyer = body.data.wallets.find(({ role }: { role: string }) => role === 'buyer')?.address ?? ''
    await succeed(market.seller, '/api/sandbox/faucet', { address: buyer, amount: '100000000' })
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    const moved = await market.moneyMovedBy(buyer, async () => {
      await visitor.go('/')
      await tabTo(page, page.getByRole('button', { name: 'Buyer', exact: true }))
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /^Account Test buyer/ }).waitFor()

      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: 'Go to' })
      await hasFocus(palette.getByRole('combobox'))
      await page.keyboard.type('ledger lark')
      await palette
        .getByRole('group', { name: 'Agents' })
        .getByRole('option', { name: /^Ledger Lark/, selected: true })
        .waitFor()
      await page.keyboard.press('Enter')
      await hasFocus(page.getByRole('heading', { level: 1, name: 'Ledger Lark', exact: true }))

      await tabTo(page, page.getByRole('link', { name: 'Hire for Monthly close' }))
      await page.keyboard.press('Enter')
      await hasFocus(page.getByRole('heading', { level: 1, name: 'Hire Ledger Lark' }))
      await tabTo(page, page.getByRole('radio', { name: /^Monthly close/, checked: true }))
      await page.keyboard.press('ArrowUp')
      await hasFocus(page.getByRole('radio', { name: /^Receipt check/, checked: true }))
      await tabTo(page, page.getByLabel('Title'))
      await page.keyboard.type('Check my receipts')
      await tabTo(page, page.getByLabel('Description'))
      await page.keyboard.type('Everything of October.')
      await tabTo(page, page.getByRole('radio', { name: 'Pay directly', checked: true }))
      await page.keyboard.press('ArrowDown')
      await hasFocus(page.getByRole('radio', { name: 'Buyer protection', checked: true }))
      await tabTo(page, page.getByRole('button', { name: 'Review order' }))
      await page.keyboard.press('Space')

      // The button that was pressed is gone with the first step.
      await page.getByText('Step 2 of 2: check it and pay').waitFor()
      await hasFocus(page.getByRole('heading', { level: 1, name: 'Hire Ledger Lark' }))
      const pay = page.getByRole('button', { name: 'Hire for 25.00 USDC', disabled: false })
      await tabTo(page, pay)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Ledger Lark is at work' }).waitFor()
      await hasFocus(page.getByRole('heading', { level: 1, name: 'Check my receipts' }))
    })
    expect(moved).toEqual({ buyer: -25_000_000n, agent: 0n, treasury: 0n, escrow: 25_000_000n })
    await visitor.leave()
  })
})

/** From stop to stop until this one has the focus. Each of them must show it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < MANY_STOPS; stops += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(focusFault)).toBeUndefined()
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${target} is not reached by keyboard`)
}

/** Why nobody can see where the focus is: it is nowhere, out of the window, or nothing is drawn around it. */
function focusFault(): string | undefined {
  const focused = document.activeElement
  if (!focused || focused === document.body) return 'nothing has the focus'
  const name = focused.outerHTML.slice(0, 200)
  const { top, bottom, width, height } = focused.getBoundingClientRect()
  if (width === 0 || height === 0 || bottom < 0 || top > innerHeight) return `out of sight: ${name}`
  const isOutlined = [focused, focused.closest('label')].some((part) => {
    if (!part) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(part)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  })
  return isOutlined ? undefined : `not outlined: ${name}`
}
