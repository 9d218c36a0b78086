import type { Locator, Page } from 'playwright-core'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { hasFocus } from '../checks/focus.ts'
import type { BusyMarket } from '../market/busy-market.ts'
import { openMarket, succeed } from '../market/market.ts'
import { openPages } from '../open-pages.ts'
import { screens, type Visitor } from '../site.ts'

type Role = 'button' | 'link' | 'textbox' | 'region' | 'tabpanel' | 'group'

/** Somewhere on a page: the role and the name of what is there. */
type Place = readonly [role: Role, name: string | RegExp]

interface Case {
  path: (market: BusyMarket) => string
  /** What goes away when it is pressed, with everything that must be done before it is there. */
  press: Place
  before?: (page: Page, market: BusyMarket) => Promise<unknown>
  /** What stays, and has the focus then: the heading with this text, or another place. */
  focus: string | Place | ((page: Page) => Locator)
  /** Lists have this many rows on a page, so that the second page is the last one. */
  rows?: number
}

/** Of a seller who has sold nothing yet. */
const tallyTern = {
  name: 'Tally Tern',
  type: 'data',
  bio: 'Counts what is there.',
  skills: ['counting'],
  services: [{ name: 'Count', priceUSDC: '4000000', deliveryTime: 2, x402Enabled: true }],
}

const at = (path: string) => () => path
const agentPath = ({ agent }: BusyMarket) => `/agents/${agent.walletAddress}`
const text = (words: string | RegExp) => (page: Page) => page.getByText(words, { exact: true })

const byVisitor: Record<string, Record<string, Case>> = {
  stranger: {
    'the last “Show more” of the agents': {
      path: at('/'),
      press: ['button', 'Show more'],
      rows: 2,
      focus: text('All are shown.'),
    },
    'a filter': {
      path: at('/?skills=bookkeeping,reconciliation'),
      press: ['button', 'Remove filter: bookkeeping'],
      focus: text('1 agent'),
    },
    'what to drop where nobody fits': {
      path: at('/?q=bookkeeping&maxPrice=1'),
      press: ['link', /^Without “At most 1 USDC”/],
      focus: text(/^\d agents?(,|$)/),
    },
    'an agent that was chosen to compare': {
      path: at('/'),
      before: async (page) => {
        for (const name of ['Compare Byte Bee', 'Compare Ledger Lark'])
          await page.getByRole('checkbox', { name }).click()
      },
      press: ['button', 'Remove Byte Bee'],
      focus: ['region', 'Chosen to compare'],
    },
    'the bar of those that were chosen': {
      path: at('/'),
      before: (page) =>
        page
          .getByRole('checkbox', { name: /^Compare/ })
          .first()
          .check({ force: true }),
      press: ['button', 'Clear'],
      focus: (page) => page.getByRole('heading', { level: 1 }),
    },
    'one of two that are compared': {
      path: ({ agent, rival }) => `/compare?agents=${agent.walletAddress},${rival.walletAddress}`,
      press: ['button', 'Remove Byte Bee'],
      focus: 'Compare agents',
    },
    'a response of the reference': {
      path: at('/docs/reference/getConfig'),
      before: (page) => page.getByRole('button', { name: 'Call', exact: true }).click(),
      press: ['button', 'Clear'],
      focus: 'Try it',
    },
  },
  newcomer: {
    'a step that is done': {
      path: at('/jobs'),
      press: ['button', 'Get 1,000.00 test USDC'],
      focus: ['tabpanel', 'I hired'],
    },
    'the steps of a buyer': {
      path: at('/jobs'),
      press: ['button', 'Hide these steps'],
      focus: ['tabpanel', 'I hired'],
    },
    'a list that could not be read': {
      path: at('/jobs?status=COMPLETED'),
      before: async (page) => {
        await page.route('**/api/jobs?*', (route) => route.fulfill({ status: 500, json: {} }))
        await page.reload()
        await page.getByRole('button', { name: 'Try again' }).waitFor()
        await page.unroute('**/api/jobs?*')
      },
      press: ['button', 'Try again'],
      focus: 'All jobs',
    },
  },
  buyer: {
    'a list of jobs that is empty': {
      path: at('/jobs?q=nothing'),
      press: ['button', 'Show all jobs'],
      focus: 'All jobs',
    },
    'the last “Show more” of the jobs': {
      path: at('/jobs'),
      press: ['button', 'Show more'],
      rows: 6,
      focus: text('All are shown.'),
    },
    'the last “Show more” of the reviews': {
      path: agentPath,
      press: ['button', 'Show more'],
      rows: 1,
      focus: text('All are shown.'),
    },
    'earlier messages': {
      path: ({ jobs }) => `/jobs/${jobs.running}`,
      press: ['button', 'Show earlier messages'],
      rows: 1,
      focus: ['region', 'Messages'],
    },
    'a file that is not to be sent': {
      path: ({ jobs }) => `/jobs/${jobs.running}`,
      before: async (page) => {
        const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes.') }
        await page.locator('input[type=file]').first().setInputFiles(file)
      },
      press: ['button', 'Remove notes.txt'],
      focus: ['group', /^Files to send along/],
    },
    'a notification that is read': {
      path: at('/notifications'),
      press: ['button', /^Mark as read/],
      focus: ['tabpanel', 'All'],
    },
    'a saved agent': {
      path: at('/saved'),
      press: ['button', 'Saved Byte Bee'],
      focus: 'Saved agents',
    },
  },
  beginner: {
    'the steps of a seller': { path: at('/sell'), press: ['button', 'Hide these steps'], focus: 'Sell' },
  },
  seller: {
    'a new key': { path: at('/developers'), press: ['button', 'Fill in a new key'], focus: 'Quick start' },
    'a skill': {
      path: ({ agent }) => `/sell/agents/${agent.walletAddress}/edit`,
      press: ['button', 'Remove skill bookkeeping'],
      focus: ['textbox', /^Skills/],
    },
    'a service': {
      path: ({ agent }) => `/sell/agents/${agent.walletAddress}/edit`,
      press: ['button', 'Remove service 1'],
      focus: 'Price',
    },
    'earnings of another year': {
      path: at('/sell/earnings?startDate=2020-01-01&endDate=2020-01-31'),
      press: ['button', 'Show the last 30 days of everything'],
      focus: ['tabpanel', 'Earned'],
    },
    'a webhook': {
      path: at('/developers/webhooks'),
      before: (page) => page.getByRole('button', { name: 'Remove', exact: true }).press('Enter'),
      press: ['button', 'Remove the webhook'],
      focus: 'Webhooks',
    },
    'a key': {
      path: at('/developers/keys'),
      before: (page) => page.getByRole('button', { name: 'Revoke Nightly import' }).press('Enter'),
      press: ['button', 'Revoke the key'],
      focus: 'API keys',
    },
    'a plan': {
      path: at('/sell/plans'),
      before: (page) => page.getByRole('button', { name: /^Cancel the plan: API/ }).press('Enter'),
      press: ['button', /^Cancel the plan/],
      focus: 'Plans',
    },
  },
  admin: {
    'agents with a status that none has': {
      path: at('/admin/agents?status=REJECTED'),
      press: ['button', 'Show all agents'],
      focus: 'Agents',
    },
    'disputes with a status that none has': {
      path: at('/admin/disputes?status=CLOSED'),
      press: ['button', 'Show all disputes'],
      focus: 'Disputes',
    },
    'withdrawals with a status that none has': {
      path: at('/admin/withdrawals?status=FAILED'),
      press: ['button', 'Show all withdrawals'],
      focus: 'Withdrawals',
    },
    'flags with a status that none has': {
      path: at('/admin/aml?status=RESOLVED'),
      press: ['button', 'Show all flags'],
      focus: 'AML flags',
    },
    'entries about one subject': {
      path: at('/admin/audit?subjectId=cmi0a1b2c3d4e5f6g7h8i9j0k'),
      press: ['button', 'Show everything'],
      focus: 'Audit log',
    },
    'a flag that is resolved': {
      path: at('/admin/aml'),
      before: async (page) => {
        await page.getByRole('button', { name: /^Resolve/ }).press('Enter')
        await page.getByLabel('Reason').fill('Known to us.')
      },
      press: ['button', 'Resolve'],
      focus: 'AML flags',
    },
  },
}

/** What is pressed goes away. The focus must not fall to the top of the document, where nobody hears or sees it. */
describeInBrowser('the focus where its control goes away', () => {
  const opened = openPages()

  let beginner: PrivateKeyAccount

  beforeAll(async () => {
    const { seller } = await openMarket(opened.site.url, tallyTern)
    beginner = seller.wallet
    const { buyer, jobs } = opened.market
    await succeed(buyer, `/api/jobs/${jobs.unreviewed}/review`, { rating: 5 })
    for (const words of ['Is October in?', 'And November?'])
      await succeed(buyer, `/api/jobs/${jobs.running}/messages`, { text: words })
  })

  describe.each(Object.entries(byVisitor))('for the %s', (who, cases) => {
    test.each(Object.entries(cases))('%s', async (_name, { path, press, before, focus, rows }) => {
      const { market } = opened
      const visitor = await enter(who)
      const { page } = visitor
      if (rows) await shortenLists(page, rows)
      await visitor.go(path(market))
      await before?.(page, market)
      await placeOf(page, press).press('Enter')
      await hasFocus(placeFor(page, focus))
      await visitor.leave({ complaints: expect.any(Array) })
    })
  })

  const enter = (who: string): Promise<Visitor> => {
    const { market, admin } = opened
    const accounts: Record<string, Parameters<typeof opened.enter>[1]> = {
      newcomer: privateKeyToAccount(generatePrivateKey()),
      buyer: market.buyer.wallet,
      seller: market.seller.wallet,
      admin,
      beginner,
    }
    return opened.enter(screens[0], accounts[who])
  }
})

const placeOf = (page: Page, [role, name]: Place): Locator =>
  page.getByRole(role, { name, exact: true }).first()

function placeFor(page: Page, focus: Case['focus']): Locator {
  if (typeof focus === 'function') return focus(page)
  return typeof focus === 'string'
    ? page.getByRole('heading', { name: focus, exact: true })
    : placeOf(page, focus)
}

const shortenLists = (page: Page, rows: number): Promise<unknown> =>
  page.route(/\/api\/.*[?&]limit=\d+/, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/limit=\d+/, `limit=${rows}`),
    }),
  )
