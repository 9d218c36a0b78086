import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import { apiKeysRoutes } from './routes.ts'
import { isApiKey, isKeySession } from './rules.ts'
import { type ApiKeysDeps, type ApiKeysService, createApiKeysService } from './service.ts'

interface Deps extends Base {
  plans: Pick<ApiKeysDeps, 'hasApiAccess' | 'hasEnterprise'>
  budgets: ApiKeysDeps['budgets']
}

interface Api extends Pick<ApiKeysService, 'authenticate' | 'isLive' | 'rateFactorOf'> {
  isApiKey: typeof isApiKey
  isKeySession: typeof isKeySession
}

export function defineFeature({ db, config, wallClock: clock, newId, plans, budgets }: Deps): Feature<Api> {
  const { hasApiAccess, hasEnterprise } = plans
  const areGuessesLimited = config.rateLimitsEnforced
  const apiKeys = createApiKeysService({
    db,
    clock,
    newId,
    hasApiAccess,
    hasEnterprise,
    budgets,
    areGuessesLimited,
  })
  return { api: { ...apiKeys, isApiKey, isKeySession }, routes: apiKeysRoutes({ apiKeys }) }
}
