import { isBrief, lockedTableOf, newTableOf, renamedTableOf } from './rules.ts'
import { statementsIn } from './statements.ts'

/** The last migration from before there was this rule; landed files never change. */
const LAST_FREE = 76

/** Blocks that this check cannot read, by their files, and why none of them keeps a table locked. */
const readByPeople: Readonly<Record<string, string>> = {
  '0077_incremental_audit.sql': 'The first block makes functions; the second commits after each trigger.',
  '0083_bounds_of_months.sql': 'It reads before it locks, adds a check that is not valid, and commits.',
  '0084_months.sql': 'The bounds are validated before, so that each table becomes a partition unread.',
  '0092_earnings_by_amount.sql': 'It updates ten thousand rows at a time, and commits.',
  '0093_files_of_ended_jobs.sql': 'It updates ten thousand rows at a time, and commits.',
  '0097_earnings_by_index.sql': 'It updates ten thousand rows at a time, and commits.',
  '0098_spending_by_index.sql': 'It updates ten thousand rows at a time, and commits.',
}

/** Landed before the check looked at more than triggers. A change that meets one of them in a deadlock is tried again. */
const severalLocked: readonly string[] = ['0086_unread_counts.sql', '0091_cheaper_hires.sql']

export interface MigrationFile {
  name: string
  text: string
}

/** What in migrations may keep a table locked for as long as it is large, in the order of the files. */
export function findLongLocks(files: readonly MigrationFile[]): string[] {
  const known = new Set<string>()
  return files.flatMap(({ name, text }) => {
    const statements = statementsIn(text)
    const made = statements.flatMap((statement) => newTableOf(statement) ?? [])
    // `create table if not exists` makes nothing where an earlier file has made the table.
    const isNew = (table: string) => made.includes(table) && !known.has(table)
    const isOnline = text.startsWith('-- online\n')
    const problems = [
      ...statements
        .filter((statement) => !isBrief(statement, { isOnline, isNew }))
        .filter((statement) => !(statement.startsWith('do ') && name in readByPeople))
        .map((statement) => `may keep a table locked: ${statement.slice(0, 80)}`),
      ...(isOnline || severalLocked.includes(name) ? [] : locksOnSeveral(statements, isNew)),
      ...statements
        .flatMap((statement) => renamedTableOf(statement) ?? [])
        .filter((table) => !isNew(table))
        .map((table) => `renames what running processes use: ${table}`),
    ]
    for (const table of made) known.add(table)
    return Number(name.slice(0, 4)) > LAST_FREE ? problems.map((problem) => `${name}: ${problem}`) : []
  })
}

function locksOnSeveral(statements: readonly string[], isNew: (table: string) => boolean): string[] {
  const tables = new Set(statements.flatMap((statement) => lockedTableOf(statement) ?? []))
  const old = [...tables].filter((table) => !isNew(table))
  return old.length > 1 ? [`locks several tables at once: ${old.join(', ')}`] : []
}
