import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

const BATCH_SIZE = 500
const MAX_BATCHES = 20

/** Rewrites the search texts of agents that are marked for it, some at a time, so that no lock is held for long. Returns how many. */
export async function refreshSearchTexts(db: Database): Promise<number> {
  let count = 0
  for (let batch = 1; batch <= MAX_BATCHES; batch += 1) {
    count += await db.transaction(refreshSome)
    if (count < batch * BATCH_SIZE) break
  }
  return count
}

/** A trigger writes the text whenever a name is. */
function refreshSome(tx: Queryable): Promise<number> {
  return tx.run(sql`
    with due as (
      delete from agent_search_due where agent_id in (
        select agent_id from agent_search_due order by agent_id limit ${BATCH_SIZE} for update skip locked)
      returning agent_id)
    update agents set name = name from due where agents.id = due.agent_id`)
}
