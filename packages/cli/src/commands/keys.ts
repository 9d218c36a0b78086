import type { ApiKey, ApiKeyScope, BudgetCaps } from '@agent-marketplace/contract'
import { apiKeyScopes } from '@agent-marketplace/contract'
import { type Context, defineCommand, type Values } from '../command.ts'
import { CommandError } from '../exit-codes.ts'
import { readCount } from '../input.ts'
import { openAccount } from '../open-marketplace.ts'
import { amountFrom, readable } from '../output/amounts.ts'
import { drawTable } from '../output/table.ts'

const options = {
  scope: {
    takes: 'scope',
    isMany: true,
    choices: apiKeyScopes,
    summary: 'Scopes of a new key; all by default',
  },
  days: { takes: 'count', summary: 'Days until a new key expires; never by default' },
  'max-per-job': { takes: 'usdc', summary: 'Limit for a single job with a new key' },
  'max-per-day': { takes: 'usdc', summary: 'Daily limit, by UTC' },
  'max-per-month': { takes: 'usdc', summary: 'Monthly limit' },
  'max-total': { takes: 'usdc', summary: 'Lifetime limit' },
  agent: { takes: 'wallet', isMany: true, summary: 'An agent it may hire; repeatable' },
  category: {
    takes: 'category',
    isMany: true,
    summary: 'A category of agents it may hire as well; repeatable',
  },
} as const

export const keys = defineCommand({
  name: 'keys',
  summary: 'List, make and revoke API keys',
  arguments: [
    { name: 'action', summary: 'Otherwise list', isOptional: true, choices: ['list', 'create', 'revoke'] },
    { name: 'key', summary: 'The name of a new key, or the id of the one to revoke', isOptional: true },
  ],
  options,
  async run(context, [action = 'list', key], values) {
    if (action === 'list') return list(context)
    if (key === undefined)
      throw new CommandError('usage', `keys ${action} needs a ${action === 'create' ? 'name' : 'key id'}.`)
    return action === 'create' ? create(context, key, values) : revoke(context, key)
  },
})

async function list(context: Context): Promise<void> {
  const { data } = await openAccount(context).call('listApiKeys', { signal: context.terminal.signal })
  const titles = ['KEY', 'NAME', 'BEGINS', 'MAY', 'LEFT TO SPEND', 'EXPIRES', 'LAST USED']
  context.show(data, () => (data.length === 0 ? 'There are no keys.' : drawTable(titles, data.map(rowOf))))
}

const rowOf = ({ id, name, prefix, scopes, budget, expiresAt, lastUsedAt }: ApiKey): string[] => [
  id,
  name,
  prefix,
  scopes.join(','),
  leftOf(budget),
  expiresAt ?? 'never',
  lastUsedAt ?? 'never',
]

/** What the caps leave, the narrowest first: for one job, then of the day, the month and in all. */
function leftOf({ caps, spending: { day, month, total } }: ApiKey['budget']): string {
  const parts = [
    caps.perJob !== undefined && `${readable(caps.perJob)} a job`,
    day.left !== null && `${readable(day.left)} today`,
    month.left !== null && `${readable(month.left)} this month`,
    total.left !== null && `${readable(total.left)} in all`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'no cap' : parts.join(', ')
}

type KeyValues = Values<typeof options>

async function create(context: Context, name: string, values: KeyValues): Promise<void> {
  const { scope, days, agent: wallets = [], category } = values
  const budget = budgetFrom(values)
  const { signal } = context.terminal
  const marketplace = openAccount(context)
  const agents = await Promise.all(wallets.map((wallet) => marketplace.getAgent(wallet, { signal })))
  const body = {
    name,
    ...(scope && { scopes: scope as ApiKeyScope[] }),
    ...(days !== undefined && { expiresInDays: readCount(days, '--days', 1) }),
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(agents.length > 0 && { allowedAgents: agents.map(({ id }) => id) }),
    ...(category && { allowedCategories: category }),
  }
  const { data } = await marketplace.call('createApiKey', { body, signal })
  context.terminal.note('The key is shown once. Keep it secret.')
  context.show(data, () => data.key)
}

function budgetFrom(values: KeyValues): BudgetCaps {
  const cap = (name: keyof BudgetCaps, option: `max-${'per-job' | 'per-day' | 'per-month' | 'total'}`) => {
    const written = values[option]
    return written === undefined ? {} : { [name]: String(amountFrom(written, `--${option}`)) }
  }
  return {
    ...cap('perJob', 'max-per-job'),
    ...cap('perDay', 'max-per-day'),
    ...cap('perMonth', 'max-per-month'),
    ...cap('total', 'max-total'),
  }
}

async function revoke(context: Context, id: string): Promise<void> {
  const { data } = await openAccount(context).call('revokeApiKey', {
    params: { id },
    signal: context.terminal.signal,
  })
  context.show(data, () => 'Revoked.')
}
