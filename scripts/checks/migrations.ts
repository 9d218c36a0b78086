/** The last migration from before there was this rule; landed files never change. */
const LAST_FREE = 76

export interface MigrationFile {
  name: string
  text: string
}

/**
 * What in migrations keeps a table locked for as long as it is large. A table that the same file makes is empty, so
 * everything is allowed there.
 */
export function findLongLocks(files: readonly MigrationFile[]): string[] {
  return files
    .filter(({ name }) => Number(name.slice(0, 4)) > LAST_FREE)
    .flatMap(({ name, text }) => longLocksIn(text).map((problem) => `${name}: ${problem}`))
}

const rules: readonly { pattern: RegExp; advice: string }[] = [
  {
    pattern: /create\s+(?:unique\s+)?index\s+(?!concurrently)(?:if not exists\s+)?\w+\s+on\s+(\w+)/gi,
    advice:
      'builds an index under a lock: use `create index concurrently` in a file that begins with -- online',
  },
  {
    pattern:
      /alter\s+table\s+(?:only\s+)?(\w+)[^;]*?\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/gi,
    advice: 'rewrites a table: add a column, fill it in batches, and read the new one',
  },
  {
    pattern:
      /alter\s+table\s+(?:only\s+)?(\w+)[^;]*?\badd\s+(?:column\s+)?[^;]*?\bdefault\s+(?:gen_random_uuid|random|clock_timestamp|nextval)/gi,
    advice: 'rewrites a table: add the column without this default first',
  },
  {
    pattern:
      /alter\s+table\s+(?:only\s+)?(\w+)[^;]*?\badd\s+(?:column\s+)?[^;]*?\bgenerated\s+always\s+as\s*\([^;]*stored/gi,
    advice: 'rewrites a table: keep the column by a trigger, and fill it in batches',
  },
  {
    pattern:
      /alter\s+table\s+(?:only\s+)?(\w+)\s+add\s+(?:constraint\s+\w+\s+)?(?:check|foreign\s+key)(?![^;]*not\s+valid)/gi,
    advice: 'reads a whole table under a lock: add it `not valid`, then validate it in a later file',
  },
  {
    pattern: /alter\s+table\s+(?:only\s+)?(\w+)[^;]*?\bset\s+not\s+null/gi,
    advice:
      'reads a whole table under a lock: add a check that is `not valid`, and validate it in a later file',
  },
]

function longLocksIn(text: string): string[] {
  const statements = text.replaceAll(/--.*$/gm, '').replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
  const made = new Set(
    [...statements.matchAll(/create\s+(?:unlogged\s+)?table\s+(?:if not exists\s+)?(\w+)/gi)].map(
      ([, table]) => table,
    ),
  )
  return rules.flatMap(({ pattern, advice }) =>
    [...statements.matchAll(pattern)]
      .filter(([, table]) => !made.has(table))
      .map(([found, table]) => `${table}: ${advice} (${found.replaceAll(/\s+/g, ' ').slice(0, 60)})`),
  )
}
