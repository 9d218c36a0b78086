import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { agentViewsRoutes } from './routes.ts'
import { type AgentViewsDeps, createAgentViews } from './service.ts'

const CLEANING_SECONDS = 3_600

interface Deps extends Ground {
  agents: Pick<AgentViewsDeps, 'agentOf'>
}

/** How often agents are looked at, and what comes of it. */
export function defineFeature({ db, clock, log, agents }: Deps): Feature<undefined> {
  const agentViews = createAgentViews({ db, clock, log, agentOf: agents.agentOf })
  return {
    api: undefined,
    routes: agentViewsRoutes({ agentViews }),
    ticks: [{ name: 'agent-views', seconds: CLEANING_SECONDS, handler: agentViews.removeOld }],
    close: agentViews.close,
  }
}
