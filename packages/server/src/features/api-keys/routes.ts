import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@agent-marketplace/contract'
import { presentCredential, type WithBudget } from '../../house/credentials/credential.ts'
import { type Route, route } from '../../platform/http/call.ts'
import type { ApiKeysService } from './service.ts'
import type { ApiKeyRow } from './store.ts'

export function apiKeysRoutes({ apiKeys }: { apiKeys: ApiKeysService }): Route[] {
  return [
    // The response is not kept under an Idempotency-Key: it holds the key itself, of which only a hash may be stored.
    route(createApiKey, async ({ principal, body }) => {
      const { row, key } = await apiKeys.create(principal, body)
      return { data: { ...presentKey(row), key } }
    }),

    route(listApiKeys, async ({ principal }) => ({
      data: (await apiKeys.list(principal.ownerId)).map(presentKey),
    })),

    route(revokeApiKey, async ({ principal, params, transaction }) =>
      transaction(async (tx) => {
        await apiKeys.revoke(tx, { id: params.id, ownerId: principal.ownerId })
        return { data: { revoked: true } }
      }),
    ),
  ]
}

const presentKey = (row: WithBudget<ApiKeyRow>): ApiKey => ({
  ...presentCredential(row),
  name: row.name,
  prefix: row.prefix,
  expiresAt: row.expiresAt?.toISOString() ?? null,
})
