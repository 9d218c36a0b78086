import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { daysBefore } from '../../platform/clock/clock.ts'
import { agentViewsRoutes } from './routes.ts'
import { type AgentViewsDeps, createAgentViews } from './service.ts'

interface Deps extends Ground {
  agents: Pick<AgentViewsDeps, 'agentOf'>
}

/** How often agents are looked at, and what comes of it. */
export function defineFeature({ db, config, clock, log, agents }: Deps): Feature<undefined> {
  const agentViews = createAgentViews({ db, clock, log, agentOf: agents.agentOf })
  return {
    api: undefined,
    routes: agentViewsRoutes({ agentViews }),
    retentions: [{ table: 'agent_views', keptSince: () => daysBefore(clock.now(), config.agentViewDays) }],
    close: agentViews.close,
  }
}
