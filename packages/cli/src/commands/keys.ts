import type { ApiKey, ApiKeyScope } from '@agent-marketplace/contract'
import { apiKeyScopes } from '@agent-marketplace/contract'
import { type Context, defineCommand, type Values } from '../command.ts'
import { CommandError } from '../exit-codes.ts'
import { readCount } from '../input.ts'
import { openAccount } from '../open-marketplace.ts'
import { drawTable } from '../output/table.ts'

const options = {
  scope: {
    takes: 'scope',
    isMany: true,
    choices: apiKeyScopes,
    summary: 'What a new key may do; otherwise all',
  },
  days: { takes: 'count', summary: 'When a new key expires; otherwise never' },
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
  const titles = ['KEY', 'NAME', 'BEGINS', 'MAY', 'EXPIRES', 'LAST USED']
  context.show(data, () => (data.length === 0 ? 'There are no keys.' : drawTable(titles, data.map(rowOf))))
}

const rowOf = ({ id, name, prefix, scopes, expiresAt, lastUsedAt }: ApiKey): string[] => [
  id,
  name,
  prefix,
  scopes.join(','),
  expiresAt ?? 'never',
  lastUsedAt ?? 'never',
]

async function create(
  context: Context,
  name: string,
  { scope, days }: Values<typeof options>,
): Promise<void> {
  const body = {
    name,
    ...(scope && { scopes: scope as ApiKeyScope[] }),
    ...(days !== undefined && { expiresInDays: readCount(days, '--days', 1) }),
  }
  const { data } = await openAccount(context).call('createApiKey', { body, signal: context.terminal.signal })
  context.terminal.note('The key is shown once. Keep it secret.')
  context.show(data, () => data.key)
}

async function revoke(context: Context, id: string): Promise<void> {
  const { data } = await openAccount(context).call('revokeApiKey', {
    params: { id },
    signal: context.terminal.signal,
  })
  context.show(data, () => 'Revoked.')
}
