import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { matchesByKeys } from './condition.ts'
import type { AgentQuery, NearAgent } from './query.ts'
import { planned } from './store.ts'

/** More would only make the list longer. */
const MAX_NEAR = 50

/** Those that pass the filters and do not have every word, because these were found before. */
export async function keepFitting(
  db: Queryable,
  query: AgentQuery,
  near: readonly NearAgent[],
): Promise<readonly NearAgent[]> {
  if (near.length === 0) return []
  const ids = sql`${near.map(({ agentId }) => agentId)}::text[]`
  const fitting = matchesByKeys({ ...query, text: '' })
  const full = matchesByKeys(query)
  const rows = await db.rows<{ id: string }>(
    planned(sql`
      select found.id from ${fitting.from} where ${fitting.where} and found.id = any(${ids})
      except select found.id from ${full.from} where ${full.where} and found.id = any(${ids})`),
  )
  const kept = new Set(rows.map(({ id }) => id))
  return near.filter(({ agentId }) => kept.has(agentId)).slice(0, MAX_NEAR)
}
