import type { Page } from 'playwright-core'
import type { Facts, Role } from './facts.ts'

/** A page, or something that opens on it, as one of the roles sees it. */
export interface Stop {
  name: string
  role: Role | 'stranger'
  path: string
  /** What is done on the page before the picture. */
  open?: (page: Page) => Promise<unknown>
}

/** Popups load their code when they are opened first. */
const untilOpen = (page: Page) => page.locator('[role=dialog], [role=menu]').first().waitFor()

const click = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await untilOpen(page)
}

/** What a menu leads to. */
const choose = (menu: string | RegExp, item: string) => async (page: Page) => {
  await page.getByRole('button', { name: menu }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}

const press = (key: string) => async (page: Page) => {
  await page.keyboard.press(key)
  await untilOpen(page)
}

const as =
  (role: Stop['role']) =>
  (name: string, path: string, open?: Stop['open']): Stop => ({
    name: `${role}-${name}`,
    role,
    path,
    ...(open && { open }),
  })

/** Every page, for each who has a reason to open it, and the dialogs that are seen most. */
export function stopsOf(facts: Facts): Stop[] {
  return [...forStranger(facts), ...forBuyer(facts), ...forSeller(facts), ...forAdmin(facts)]
}

function forStranger({ agents, newAgent, seller }: Facts): Stop[] {
  const stop = as('stranger')
  return [
    stop('browse', '/'),
    stop('browse-search', '/?q=translate+a+contract'),
    stop('browse-nothing', '/?q=nothing+like+it'),
    stop('sign-in', '/', click('Sign in')),
    stop('keys', '/', press('?')),
    stop('palette', '/', press('Control+k')),
    stop('agent', `/agents/${agents[0]}`),
    stop('agent-new', `/agents/${newAgent}`),
    stop('seller', `/sellers/${seller}`),
    stop('hire', `/agents/${agents[0]}/hire`),
    stop('compare', `/compare?agents=${agents.join(',')}`),
    stop('compare-empty', '/compare'),
    stop('saved', '/saved'),
    stop('jobs', '/jobs'),
    stop('pricing', '/pricing'),
    stop('developers', '/developers'),
    stop('docs', '/docs'),
    stop('docs-guide', '/docs/first-hire'),
    stop('docs-guide-reference', '/docs/webhooks'),
    stop('docs-reference', '/docs/reference'),
    stop('docs-operation', '/docs/reference/createJob'),
    stop('docs-errors', '/docs/errors'),
    stop('nowhere', '/nowhere'),
  ]
}

function forBuyer({ agents, jobs, doneBy, txHash }: Facts): Stop[] {
  const stop = as('buyer')
  const done = jobs.buyer.COMPLETED
  return [
    stop('browse', '/'),
    stop('account', '/', click(/^Account/)),
    stop('add-usdc', '/', choose(/^Account/, 'Add USDC')),
    stop('bell', '/', click(/^Notifications/)),
    stop('agent', `/agents/${agents[0]}`),
    stop('hire', `/agents/${agents[1]}/hire`),
    stop('hire-again', `/agents/${doneBy}/hire?again=${done}`),
    stop('saved', '/saved'),
    stop('jobs', '/jobs'),
    ...Object.entries(jobs.buyer).map(([status, id]) => stop(`job-${slug(status)}`, `/jobs/${id}`)),
    stop('job-approve', `/jobs/${jobs.buyer.UNDER_REVIEW}`, click(/^Approve/)),
    stop('job-dispute', `/jobs/${jobs.buyer.UNDER_REVIEW}`, choose('More actions', 'Open a dispute')),
    stop('receipt', `/jobs/${done}/receipt`),
    stop('spending', '/spending'),
    stop('notifications', '/notifications'),
    stop('tx', `/tx/${txHash}?job=${done}`),
    stop('sell', '/sell'),
    stop('verify', '/sell/verify'),
    stop('keys', '/developers/keys'),
  ]
}

function forSeller({ ownAgent, jobs }: Facts): Stop[] {
  const stop = as('seller')
  return [
    stop('home', '/sell'),
    stop('verify', '/sell/verify'),
    stop('new-agent', '/sell/agents/new'),
    stop('edit-agent', `/sell/agents/${ownAgent}/edit`),
    stop('earnings', '/sell/earnings'),
    stop('withdrawals', '/sell/earnings?tab=withdrawals'),
    stop('withdraw', '/sell/earnings?tab=withdrawals', click(/^Withdraw from/)),
    stop('plans', '/sell/plans'),
    stop('jobs', '/jobs?role=seller'),
    ...Object.entries(jobs.seller).map(([status, id]) => stop(`job-${slug(status)}`, `/jobs/${id}`)),
    stop('job-deliver', `/jobs/${jobs.seller.IN_PROGRESS}`, click('Deliver the work')),
    stop('developers', '/developers'),
    stop('keys', '/developers/keys'),
    stop('make-key', '/developers/keys', click('Make a key')),
    stop('webhooks', '/developers/webhooks'),
    stop('add-webhook', '/developers/webhooks', click('Add a webhook')),
    stop('events', '/developers/events'),
    stop('requests', '/developers/requests'),
  ]
}

function forAdmin({ dispute }: Facts): Stop[] {
  const stop = as('admin')
  return [
    stop('home', '/admin'),
    stop('agents', '/admin/agents'),
    stop('disputes', '/admin/disputes'),
    stop('dispute', `/admin/disputes/${dispute}`),
    stop('aml', '/admin/aml'),
    stop('owners', '/admin/owners'),
    stop('suspend', '/admin/owners', click(/^Suspend/)),
    stop('withdrawals', '/admin/withdrawals'),
    stop('audit', '/admin/audit'),
    stop('health', '/admin/health'),
  ]
}

const slug = (status: string) => status.toLowerCase().replaceAll('_', '-')
