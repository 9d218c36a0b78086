import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { savedAgentsRoutes } from './routes.ts'
import { createSavedAgents, type SavedAgentsDeps } from './service.ts'

interface Deps extends Ground {
  agents: Pick<SavedAgentsDeps, 'agentOf' | 'summariesByIds'>
}

/** Agents that an owner wants to find again. */
export function defineFeature({ db, wallClock, agents }: Deps): Feature<undefined> {
  const { agentOf, summariesByIds } = agents
  const savedAgents = createSavedAgents({ db, clock: wallClock, agentOf, summariesByIds })
  return { api: undefined, routes: savedAgentsRoutes({ savedAgents }) }
}
