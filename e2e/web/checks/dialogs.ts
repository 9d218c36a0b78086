import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { BusyMarket } from '../market/busy-market.ts'
import type { Visitor } from '../site.ts'
import { inspectDialog, untilSettled } from './inspection.ts'

/** Every dialog that was looked at, by its title, and what is wrong with it. */
export type Findings = Record<string, string[]>

/** What must be among what a stranger, a buyer, a seller and an administrator are shown. */
export const strangerTitles = ['Sign in', 'Keys', 'Go to']
export const buyerTitles = [
  'Notifications',
  'Add USDC',
  'Pay 6,000.00 USDC',
  'I deposited it myself',
  'Cancel the job',
  'Open a dispute',
  'Approve the work',
  'Request changes',
  'Accept the settlement',
  'Offer a settlement',
  'Add evidence',
  'Review Ledger Lark',
  'Delivery',
  'Start the sandbox over?',
  'Name this wallet',
  'Registered on chain',
  'More actions',
  'Account',
]
export const sellerTitles = [
  'Decline the job',
  'Deliver the work',
  'Give the money back',
  'Reply to the review',
  'Withdraw from Ledger Lark',
  'Cancel the plan “Agent quota”?',
  'Cancel the plan “API access”?',
  'Make an API key',
  'Revoke “Nightly import”?',
  'Your new key',
  'Add a webhook',
  'Get a new signing secret?',
  'Remove this webhook?',
  'Your signing secret',
  'Your new secret',
]
export const adminTitles = [
  'Resolve the flag of “Audit the year”',
  expect.stringMatching(/^Suspend 0x/),
  expect.stringMatching(/^Deactivate 0x/),
  'Reject Ledger Lark',
]

export async function lookAsStranger({ page, go }: Visitor): Promise<Findings> {
  const findings: Findings = {}
  await go('/')
  await untilSettled(page)
  await page.getByRole('button', { name: 'Sign in' }).first().click()
  await lookAtDialog(page, findings)
  for (const key of ['?', 'Control+k']) {
    await page.keyboard.press(key)
    await lookAtDialog(page, findings)
  }
  return findings
}

export async function lookAsBuyer(visitor: Visitor, { jobs, agent }: BusyMarket): Promise<Findings> {
  const findings: Findings = {}
  for (const jobId of Object.values(jobs)) await lookAtMoves(visitor, jobId, findings)
  await lookBehind(visitor, `/agents/${agent.walletAddress}`, [/^On-chain proof/], findings)
  await lookBehind(visitor, `/jobs/${jobs.completed}`, [/^View/], findings)
  await visitor.page.getByRole('button', { name: /^Notifications/ }).click()
  await lookAtDialog(visitor.page, findings)
  await visitor.page.getByRole('button', { name: /^Account/ }).click()
  await lookAtMenu(visitor.page, 'Account', findings)
  await visitor.page.getByRole('menuitem', { name: 'Add USDC' }).click()
  await lookAtDialog(visitor.page, findings)
  const bar = visitor.page.getByRole('complementary', { name: 'Sandbox' })
  await bar.getByRole('button', { name: /^Sandbox/ }).click()
  await bar.getByRole('button', { name: 'Reset' }).click()
  await lookAtDialog(visitor.page, findings)
  await visitor.go('/')
  await bar.getByRole('button', { name: /^Sandbox/ }).click()
  await bar.getByRole('button', { name: 'New', exact: true }).click()
  await bar.getByRole('button', { name: 'Rename' }).click()
  await lookAtDialog(visitor.page, findings)
  return findings
}

export async function lookAsSeller(visitor: Visitor, { jobs, agent }: BusyMarket): Promise<Findings> {
  const findings: Findings = {}
  for (const jobId of Object.values(jobs)) await lookAtMoves(visitor, jobId, findings)
  const withdrawals = '/sell/earnings?tab=withdrawals'
  await lookBehind(visitor, withdrawals, [`Withdraw from ${agent.name}`], findings)
  await lookBehind(visitor, '/sell/plans', [/^Cancel the plan: Agent/, /^Cancel the plan: API/], findings)
  await lookBehind(visitor, '/developers/keys', ['Make a key', 'Revoke Nightly import'], findings)
  await makeKey(visitor.page, findings)
  await lookBehind(visitor, '/developers/webhooks', ['Add a webhook', 'New secret', 'Remove'], findings)
  await makeSecrets(visitor.page, findings)
  return findings
}

export async function lookAsAdmin(visitor: Visitor): Promise<Findings> {
  const findings: Findings = {}
  await lookBehind(visitor, '/admin/agents?status=APPROVED', [/^Reject/], findings)
  await lookBehind(visitor, '/admin/aml', [/^Resolve/], findings)
  await lookBehind(visitor, '/admin/owners', [/^Suspend/, /^Deactivate/], findings)
  return findings
}

/** Whatever can be done with a job: the buttons of its panel, and what is in their menu. */
async function lookAtMoves({ page, go }: Visitor, jobId: string, findings: Findings): Promise<void> {
  await go(`/jobs/${jobId}`)
  await untilSettled(page)
  const panel = page.getByRole('complementary', { name: 'What happens now' })
  const menu = panel.getByRole('button', { name: 'More actions' })
  const items = page.getByRole('menuitem')
  const buttons = panel.locator('button:not([aria-haspopup])')
  for (const button of await buttons.all()) {
    await button.click()
    await lookAtDialog(page, findings)
  }
  if ((await menu.count()) === 0) return
  for (let index = 0, count = 1; index < count; index += 1) {
    await menu.click()
    await lookAtMenu(page, 'More actions', findings)
    count = await items.count()
    await items.nth(index).click()
    await lookAtDialog(page, findings)
  }
}

/** What these buttons of a page open. */
async function lookBehind(
  { page, go }: Visitor,
  path: string,
  buttons: readonly (string | RegExp)[],
  findings: Findings,
): Promise<void> {
  await go(path)
  await untilSettled(page)
  for (const name of buttons) {
    await page.getByRole('button', { name }).first().click()
    await lookAtDialog(page, findings)
  }
}

/** A key is shown once, in the dialog that made it. */
async function makeKey(page: Page, findings: Findings): Promise<void> {
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByLabel('Name').fill('Weekly export')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
  await lookAtDialog(page, findings)
}

/** So is the secret of a webhook, and the one that comes after it. */
async function makeSecrets(page: Page, findings: Findings): Promise<void> {
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/more')
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await page.getByRole('dialog', { name: 'Your signing secret' }).waitFor()
  await lookAtDialog(page, findings)
  await page.getByRole('button', { name: 'New secret' }).first().click()
  await page.getByRole('button', { name: 'Get a new secret' }).click()
  await page.getByRole('dialog', { name: 'Your new secret' }).waitFor()
  await lookAtDialog(page, findings)
}

/** Looks at the dialog that is open, unless another job has shown it, and closes it. */
async function lookAtDialog(page: Page, findings: Findings): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const title = await titleOf(dialog)
  await page.waitForFunction(() => document.querySelectorAll('[role=dialog] .animate-pulse').length === 0)
  findings[title] ??= await inspectDialog(page)
  const close = dialog.getByRole('button', { name: 'Close' })
  if ((await close.count()) > 0) await close.click()
  else await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/** Looks at the menu that is open, and leaves it open. */
async function lookAtMenu(page: Page, name: string, findings: Findings): Promise<void> {
  await page.getByRole('menuitem').first().waitFor()
  findings[name] ??= await inspectDialog(page, 'menu')
}

/** As a screen reader says it when the dialog opens. */
const titleOf = (dialog: Locator): Promise<string> =>
  dialog.evaluate((element) => {
    const labelled = document.getElementById(element.getAttribute('aria-labelledby') ?? '')
    return labelled?.textContent ?? element.getAttribute('aria-label') ?? ''
  })
