import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import type { BusyMarket } from '../market/busy-market.ts'
import { openPages } from '../open-pages.ts'
import { screens } from '../site.ts'

interface Action {
  who: 'buyer' | 'seller'
  path: (market: BusyMarket) => string
  /** Everything before the last press. */
  prepare?: (page: Page) => Promise<unknown>
  /** The button that does it. */
  press: string | RegExp
  /** The call that must be made once. */
  call: RegExp
  /** What is there once it is done. */
  done: (page: Page) => Locator
}

const at = (path: string) => () => path
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name })
const open = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').waitFor()
}

const actions: Record<string, Action> = {
  hire: {
    who: 'buyer',
    path: ({ agent }) => `/agents/${agent.walletAddress}/hire`,
    prepare: async (page) => {
      await page.getByRole('radio', { name: /^Receipt check/ }).check({ force: true })
      // Paid directly, both presses would share the order's key, and be one job whatever the button does.
      await page.getByRole('radio', { name: 'Buyer protection' }).check({ force: true })
      await page.getByLabel('Title').fill('Check my receipts')
      await page.getByLabel('Description').fill('Everything of October.')
      await page.getByRole('button', { name: 'Review order' }).click()
    },
    press: 'Hire for 25.00 USDC',
    call: /\/api\/jobs$/,
    done: heading('Ledger Lark is at work'),
  },
  'get test money': {
    who: 'buyer',
    path: at('/jobs'),
    press: '+1,000 USDC',
    call: /\/api\/sandbox\/faucet$/,
    done: (page) => page.getByText(/ arrived\.$/),
  },
  'fund the escrow': {
    who: 'buyer',
    path: ({ jobs }) => `/jobs/${jobs.unpaid}`,
    prepare: open('Pay 6,000.00 USDC'),
    press: 'Pay 6,000.00 USDC',
    call: /\/pay$/,
    done: heading('Ledger Lark is at work'),
  },
  approve: {
    who: 'buyer',
    path: ({ jobs }) => `/jobs/${jobs.delivered}`,
    prepare: open(/^Approve and release/),
    press: /^Approve and release/,
    call: /\/approve$/,
    done: heading('Completed'),
  },
  dispute: {
    who: 'buyer',
    path: ({ jobs }) => `/jobs/${jobs.running}`,
    prepare: async (page) => {
      const menu = page.getByRole('button', { name: 'More actions' })
      const way = page.getByRole('button', { name: 'Open a dispute' })
      await menu.or(way).first().waitFor()
      if ((await way.count()) === 0) await menu.click()
      await way.or(page.getByRole('menuitem', { name: 'Open a dispute' })).click()
      await page.getByLabel('What is wrong').fill('Nothing was delivered.')
    },
    press: 'Open the dispute',
    call: /\/dispute$/,
    done: heading('In dispute'),
  },
  withdraw: {
    who: 'seller',
    path: at('/sell/earnings?tab=withdrawals'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Withdraw from Ledger Lark' }).click()
      await page.getByRole('dialog').getByLabel('Amount').fill('5')
    },
    press: 'Withdraw 5.00 USDC',
    call: /\/api\/owners\/withdrawals$/,
    done: (page) => page.getByRole('region', { name: 'Withdrawals under way' }),
  },
  subscribe: {
    who: 'seller',
    path: at('/sell/plans'),
    prepare: (page) => page.getByLabel('Exactly').fill('5'),
    press: /^Raise to 5 agents for/,
    call: /\/subscription\/onchain\/upgrade$/,
    done: (page) => page.getByText('5 agents', { exact: true }),
  },
  'cancel a subscription': {
    who: 'seller',
    path: at('/sell/plans'),
    prepare: open(/^Cancel the plan: API/),
    press: /^Cancel the plan/,
    call: /\/subscription\/onchain/,
    done: heading('Plans'),
  },
  'create a key': {
    who: 'seller',
    path: at('/developers/keys'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Weekly export')
    },
    press: 'Make the key',
    call: /\/api\/api-keys$/,
    done: (page) => page.getByRole('dialog', { name: 'Your new key' }),
  },
  'fill in a key': {
    who: 'seller',
    path: at('/developers'),
    press: 'Fill in a new key',
    call: /\/api\/api-keys$/,
    done: (page) => page.getByRole('link', { name: 'Manage your keys' }),
  },
  'create a webhook': {
    who: 'seller',
    path: at('/developers/webhooks'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add a webhook' }).click()
      await page.getByLabel('Address').fill('http://127.0.0.1:9/more')
    },
    press: 'Add the webhook',
    call: /\/api\/webhooks$/,
    done: (page) => page.getByRole('dialog', { name: 'Your signing secret' }),
  },
  'create an agent': {
    who: 'seller',
    path: at('/sell/agents/new'),
    prepare: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Tally Tern')
      await page.getByLabel('Type').selectOption('Writing')
      await page.getByLabel('What it does').fill('Counts what is counted twice.')
      await page.getByLabel('Service 1', { exact: true }).fill('One page')
      await page.getByLabel('Price', { exact: true }).fill('40')
      await page.getByLabel('Delivered within, hours').fill('12')
    },
    press: 'Create agent',
    call: /\/api\/agents$/,
    done: heading(/Tally Tern/),
  },
}

/** However often it is pressed: twice at once, or again while it works, by pointer, by key or by Enter in a field. */
describeInBrowser('what is pressed twice is done once', () => {
  const opened = openPages()

  test('a double click opens a dialog that stays, and presses nothing in it', async () => {
    const { market } = opened
    const visitor = await opened.enter(screens[0], market.buyer.wallet)
    const { page } = visitor
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await visitor.go(`/jobs/${market.jobs.delivered}`)
    const dialog = page.getByRole('dialog')
    // It opens in the middle of the window: the second click is beside it.
    await page
      .getByRole('button', { name: /^Approve and release/ })
      .first()
      .dblclick()
    // On a phone it may open right below the finger, which was on something else for the first click.
    await dialog.getByRole('button', { name: /^Approve and release/ }).dispatchEvent('click', { detail: 2 })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(calls.filter((path) => path.endsWith('/approve'))).toEqual([])
    await visitor.leave()
  })

  test.each(Object.entries(actions))('%s', async (_name, { who, path, prepare, press, call, done }) => {
    const { market } = opened
    const visitor = await opened.enter(screens[0], market[who].wallet)
    const { page } = visitor
    await visitor.go(path(market))
    await prepare?.(page)
    const released = Promise.withResolvers<void>()
    // A payment by x402 sends the same call twice: the second time with what the first one asked for.
    const sent = new Set<string>()
    await page.route(call, async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      sent.add(route.request().headers()['idempotency-key'] ?? crypto.randomUUID())
      await released.promise
      await route.continue()
    })
    const control = page.getByRole('button', { name: press, disabled: false }).last()
    // Both before the page had time to draw the first.
    await control.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })
    const busy = page.locator('button[aria-busy=true]')
    await busy.waitFor()
    for (const key of ['Enter', 'Space']) await busy.press(key)
    const field = page.getByRole('dialog').getByRole('textbox').first()
    if ((await field.count()) > 0 && (await field.evaluate(({ tagName }) => tagName)) === 'INPUT')
      await field.press('Enter')
    released.resolve()
    await done(page).first().waitFor()
    expect(sent.size).toBe(1)
    await visitor.leave({ complaints: expect.any(Array) })
  })
})
