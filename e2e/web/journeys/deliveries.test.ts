import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { signIn } from '../../client.ts'
import { inspect, inspectDialog, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, succeed } from '../market/market.ts'
import { orderPaidJob } from '../market/orders.ts'
import { type Site, signInWithWallet, startSite, visit, walkedOn } from '../site.ts'

describeInBrowser('deliveries with files in the browser', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
  })
  afterAll(() => site?.close())

  const file = (name: string, mimeType: string, content: string) => ({
    name,
    mimeType,
    buffer: Buffer.from(content),
  })

  test.each(walkedOn('a desktop'))(
    'on $name: files are delivered, looked at and saved, and version 1 stays',
    async (screen) => {
      const account = await market.newBuyer()
      const client = await signIn(site.url, account)
      const jobId = await orderPaidJob(market, client, 'Close October', '150000000')
      const seller = await visit(site, { screen, account: market.seller.wallet })
      await seller.go(`/jobs/${jobId}`)
      await signInWithWallet(seller.page)
      await seller.page.getByRole('button', { name: 'Deliver the work' }).click()
      const dialog = seller.page.getByRole('dialog', { name: 'Deliver the work' })
      await dialog.getByLabel('Your work').fill('October, **all** of it.')
      await dialog
        .getByLabel('Files to deliver')
        .setInputFiles([
          file('october.csv', 'text/csv', 'invoice,amount\n17,120.00\n'),
          { name: 'report.pdf', mimeType: 'application/pdf', buffer: await reportWithProgram() },
          file('broken.pdf', 'application/pdf', '%PDF-1.4\nnothing'),
          file('page.html', 'text/html', '<h1>Hello</h1><script>document.title = "taken"</script>'),
        ])
      await dialog.getByRole('button', { name: 'Remove page.html' }).waitFor()
      await dialog.getByRole('button', { name: 'Deliver the work' }).click()
      await seller.page.getByRole('button', { name: 'View october.csv' }).waitFor()
      await untilSettled(seller.page)
      expect(await inspect(seller.page)).toEqual([])
      await seller.leave()

      const buyer = await visit(site, { screen, account })
      const { page } = buyer
      await buyer.go(`/jobs/${jobId}`)
      await signInWithWallet(page)
      await page.getByRole('button', { name: 'View october.csv' }).click()
      await page.getByRole('dialog').getByRole('cell', { name: '120.00' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'View page.html' }).click()
      await page.getByRole('dialog').getByText('<h1>Hello</h1>').waitFor()
      expect(await page.title()).not.toBe('taken')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'View report.pdf' }).click()
      const report = page.getByRole('dialog', { name: 'report.pdf' })
      await report.getByRole('img', { name: 'Page 2 of 2', exact: true }).waitFor()
      await report.getByText('All 1,204 transfers match.').waitFor({ state: 'attached' })
      const colour = () => report.locator('canvas').first().evaluate(colourInTheMiddle)
      await expect.poll(colour).toEqual([192, 0, 0, 255])
      expect(await report.getByRole('link').count()).toBe(0)
      expect(await inspectDialog(page)).toEqual([])
      expect(await page.title()).not.toBe('taken')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'View broken.pdf' }).click()
      await page.getByText('This PDF cannot be shown here. Download it to open it.').waitFor()
      await page.keyboard.press('Escape')
      const saving = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download october.csv' }).click()
      const saved = await saving
      expect(saved.suggestedFilename()).toBe('october.csv')
      expect(await readFile(await saved.path(), 'utf8')).toBe('invoice,amount\n17,120.00\n')

      await page.getByRole('button', { name: 'Request changes (0 of 2 used)' }).click()
      const changes = page.getByRole('dialog', { name: 'Request changes' })
      await changes.getByLabel('What should change').fill('The fees belong in it.')
      await changes.getByRole('button', { name: 'Request changes' }).click()
      await page.getByRole('list', { name: 'Timeline' }).getByText('The fees belong in it.').waitFor()
      // Reading this takes minutes. The page goes on meanwhile, and shows it as it was written.
      await succeed(market.seller, `/api/jobs/${jobId}/deliver`, { content: '*_'.repeat(40_000) })
      await page.getByRole('heading', { name: 'The delivery, version 2' }).waitFor()
      await page.getByRole('region', { name: 'Delivered text' }).first().getByText('*_*_*_').waitFor()
      const table = '| fee | paid |\n|---|---|\n| 2.00 | ~~never~~ |'
      await succeed(market.seller, `/api/jobs/${jobId}/messages`, { text: table })
      await page.getByRole('table').getByRole('cell', { name: '2.00' }).waitFor()
      await page.locator('summary', { hasText: 'Version 1' }).click()
      await page.getByText('The buyer asked to change', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'View october.csv' }).waitFor()
      await untilSettled(page)
      expect(await inspect(page)).toEqual([])
      await buyer.leave()
    },
  )
})

/** Two pages: a red field with words and a link on it, and an empty one. A program in it runs when it is opened. */
function reportWithProgram(): Promise<Buffer> {
  const report = new PDFDocument({ size: [600, 800] })
  report.rect(0, 0, 600, 800).fill('#c00000')
  report.fillColor('white').text('All 1,204 transfers match.', 50, 50, { link: 'https://stranger.example/' })
  const program = "document.title = 'taken'; app.launchURL('https://stranger.example/'); app.alert('taken')"
  const action = report.ref({ Type: 'Action', S: 'JavaScript', JS: Buffer.from(program) })
  action.end('')
  const root = Reflect.get(report, '_root') as { data: Record<string, unknown> }
  root.data.OpenAction = action
  report.addPage()
  report.end()
  return buffer(report)
}

function colourInTheMiddle(canvas: HTMLCanvasElement): number[] {
  const context = canvas.getContext('2d')
  return Array.from(context?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [])
}
