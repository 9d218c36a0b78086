import { plainAgent, seedAgents, seedId } from '../../features/agents/testing/seed-agents.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sellers } from '../catalogue/sellers.ts'

/** The agents of the demo as search sees them, without their twelve weeks of history. */
export function seedCatalogue(db: Queryable): Promise<void> {
  return seedAgents(
    db,
    sellers.map(({ agent, bio, skills, trade, small, large }, index) => ({
      ...plainAgent,
      id: seedId(index),
      name: agent,
      description: bio,
      category: trade.category,
      skills: [...skills],
      services: [small.name, large.name],
      terms: [small.terms ?? {}, large.terms ?? {}],
    })),
  )
}
