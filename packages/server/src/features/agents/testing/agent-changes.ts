import { type Sql, sql } from '../../../platform/db/sql.ts'

export type AgentChange = [what: string, change: () => Sql, seen: object]

interface Changed {
  agentId: () => string
  sellerId: () => string
}

/** Changes of what stands beside an agent's own row, in their order, and how they show on its page and in lists. */
export const changesBeside = ({ agentId, sellerId }: Changed): AgentChange[] => [
  [
    'its program',
    () => sql`
      insert into agent_connections (agent_id, kind, url, sealed_secret, created_at, next_probe_at, last_seen_at)
      values (${agentId()}, 'HTTP', 'https://example.com', '', now(), now(), '2026-01-01T00:00:00Z')`,
    { lastSeenAt: '2026-01-01T00:00:00.000Z' },
  ],
  [
    'its program again',
    () =>
      sql`update agent_connections set last_seen_at = '2026-01-02T00:00:00Z' where agent_id = ${agentId()}`,
    { lastSeenAt: '2026-01-02T00:00:00.000Z' },
  ],
  [
    'its program, removed',
    () => sql`delete from agent_connections where agent_id = ${agentId()}`,
    { lastSeenAt: null },
  ],
  [
    'the seller',
    () => sql`update owners set entity_type = 'COMPANY', entity_name = 'Rook Ltd' where id = ${sellerId()}`,
    { verifiedBusiness: 'Rook Ltd' },
  ],
]
