import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { createMeaning } from './meaning/meaning.ts'
import { findOrderedService, findOrderedServices } from './reading/ordered-service.ts'
import { agentsRoutes } from './routes.ts'
import { type AgentsDeps, type AgentsService, createAgentsService } from './service.ts'

const UPKEEP_SECONDS = 60
const EMBEDDING_SECONDS = 60

interface Deps extends Ground {
  owners: Pick<AgentsDeps, 'walletOf' | 'sellersOf' | 'sellerVersion'>
  plans: Pick<AgentsDeps, 'quotaOf' | 'premiumUntilOf'>
  reviews: Pick<AgentsDeps, 'reviewsOf' | 'portfoliosOf' | 'historyVersion'>
}

interface Api extends AgentsService {
  findOrderedService: typeof findOrderedService
  findOrderedServices: typeof findOrderedServices
}

export function defineFeature(deps: Deps): Feature<Api> {
  const { config, chain, money, owners, plans, reviews } = deps
  const meaning = meaningOf(deps)
  const agents = createAgentsService({
    ...deps,
    meaning,
    registry: chain.agentRegistry,
    timeOfChain: async () => new Date(((await chain.reader.getBlock('latest'))?.timestamp ?? 0) * 1000),
    publicUrl: config.publicUrl,
    cursorSecret: config.sessionSecret,
    approvesItself: config.agentApproval === 'auto',
    watchWallet: money.watch,
    walletOf: owners.walletOf,
    sellersOf: owners.sellersOf,
    sellerVersion: owners.sellerVersion,
    quotaOf: plans.quotaOf,
    premiumUntilOf: plans.premiumUntilOf,
    reviewsOf: reviews.reviewsOf,
    portfoliosOf: reviews.portfoliosOf,
    historyVersion: reviews.historyVersion,
  })
  return {
    api: {
      ...agents,
      findOrderedService,
      findOrderedServices,
    },
    routes: agentsRoutes({ agents, chainId: chain.facts.chainId }),
    intentKinds: agents.intentKinds,
    // Ends premium listings that ran out, forgets old reservations, and brings old search texts up to date.
    ticks: [
      { name: 'agents-upkeep', seconds: UPKEEP_SECONDS, handler: agents.keepUp },
      ...(meaning
        ? [{ name: 'agents-embedding', seconds: EMBEDDING_SECONDS, handler: meaning.embedAgents }]
        : []),
    ],
    gauges: meaning?.gauges ?? [],
    httpHooks: [(http) => agents.hotPages.install(http)],
  }
}

/** Undefined where search goes by words alone. */
function meaningOf({ config, embeddings, wallClock, meaningWaitMs, ...deps }: Deps) {
  if (!embeddings || !config.embeddings) return undefined
  const { minSimilarity } = config.embeddings
  return createMeaning({ ...deps, embeddings, minSimilarity, clock: wallClock, waitMs: meaningWaitMs })
}
