import { getMe, type OwnAgent } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import { route } from '../../platform/http/call.ts'
import { type OwnerEarnings, type Profile, presentMe } from './present.ts'

interface Deps {
  owners: {
    profileOf: (ownerId: string, as: { isPerson: boolean }) => Promise<Omit<Profile, 'agents' | 'earnings'>>
  }
  agents: { agentsOf: (ownerId: string) => Promise<OwnAgent[]> }
  earnings: { earningsOf: (ownerId: string) => Promise<OwnerEarnings> }
}

/** What owners see of themselves, over all features. */
export function defineFeature({ owners, agents, earnings }: Deps): Feature<undefined> {
  return {
    api: undefined,
    routes: [
      route(getMe, async ({ principal: { ownerId, scopes } }) => {
        const [profile, ownAgents, earned] = await Promise.all([
          owners.profileOf(ownerId, { isPerson: scopes === undefined }),
          agents.agentsOf(ownerId),
          earnings.earningsOf(ownerId),
        ])
        return presentMe({ ...profile, agents: ownAgents, earnings: earned })
      }),
    ],
  }
}
