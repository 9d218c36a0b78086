import type { Subject } from '../../money/audit/invariant.ts'
import { keysBy, rowsOf } from '../../money/audit/keys.ts'
import { sql } from '../../platform/db/sql.ts'

/** Jobs, as rules of the audit are about them. */
export const jobs: Subject = {
  name: 'job',
  list: rowsOf('jobs', 'id'),
  follows: {
    entry: keysBy(
      (keys) =>
        sql`select distinct job_id as key from journal_entries where id = any(${keys}) and job_id is not null`,
    ),
    intent: keysBy(
      (keys) =>
        sql`select distinct substr(lane, 5) as key from intents where id = any(${keys}) and lane like 'job:%'`,
    ),
    withdrawal: keysBy(
      (keys) => sql`select job_id as key from withdrawals where id = any(${keys}) and job_id is not null`,
    ),
  },
}

/** Agents. What one owes withholds the others of its owner. */
export const agents: Subject = {
  name: 'agent',
  list: rowsOf('agents', 'id'),
  follows: {
    agent: keysBy((keys) => sql`select id as key from agents where withheld_with = any(${keys})`),
    job: keysBy((keys) => sql`select distinct agent_id as key from jobs where id = any(${keys})`),
    report: keysBy(
      (keys) => sql`select distinct agent_id as key from x402_transactions where id = any(${keys})`,
    ),
  },
}
