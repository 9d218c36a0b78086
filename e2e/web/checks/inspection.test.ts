import { expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { launchBrowser } from '../../browser/chromium.ts'
import { inspect } from './inspection.ts'

describeInBrowser('what is found on a page', () => {
  test('also rules that are broken in a minor or moderate way', async () => {
    const browser = await launchBrowser()
    const page = await browser.newPage()
    const table = '<table><tr><th></th><th>Price</th></tr><tr><td>1</td><td>2</td></tr></table>'
    await page.setContent(
      `<html lang="en"><title>T</title><main><h1>One</h1><h4>Four</h4>${table}</main></html>`,
    )
    const found = await inspect(page)
    expect(found.map((fault) => fault.split(':')[1]?.trim())).toEqual([
      'empty-table-header (minor)',
      'heading-order (moderate)',
    ])
    await browser.close()
  })
})
