import { expect, test } from 'vitest'
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
import { orderJob } from '../market/orders.ts'
import { openPages } from '../open-pages.ts'
import { screens } from '../site.ts'

describeInBrowser('the dialogs', () => {
  const opened = openPages()

  const openers = [
    { who: 'a buyer', account: () => opened.market.buyer.wallet, look: lookAsBuyer, titles: buyerTitles },
    { who: 'a seller', account: () => opened.market.seller.wallet, look: lookAsSeller, titles: sellerTitles },
    { who: 'an administrator', account: () => opened.admin, look: lookAsAdmin, titles: adminTitles },
  ]

  test.each(openers)('are fit for $who', async ({ account, look, titles }) => {
    const visitor = await opened.enter(screens[1], account())
    const findings = await look(visitor, opened.market)
    const faults = Object.entries(findings).filter(([, found]) => found.length > 0)
    expect(Object.fromEntries(faults)).toEqual({})
    expect(Object.keys(findings)).toEqual(expect.arrayContaining(titles))
    await visitor.leave()
  })

  test('are fit for a stranger', async () => {
    const visitor = await opened.enter(screens[0], undefined)
    const findings = await lookAsStranger(visitor)
    const faults = Object.entries(findings).filter(([, found]) => found.length > 0)
    expect(Object.fromEntries(faults)).toEqual({})
    expect(Object.keys(findings)).toEqual(strangerTitles)
    await visitor.leave()
  })

  test('news never lie on what a dialog asks, on a phone', async () => {
    const { market } = opened
    const visitor = await opened.enter(screens[1], market.seller.wallet)
    const { page } = visitor
    await visitor.go(`/jobs/${market.jobs.running}`)
    await page.getByRole('button', { name: 'Deliver the work' }).waitFor()
    // What comes after this is news.
    await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).waitFor()
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
