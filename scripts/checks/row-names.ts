import { readCode } from './source-text.ts'

/** Names that are snake_case because others chose them, by the end of the file that needs them. */
const fromOthers: Record<string, readonly string[]> = {
  // Settings of PostgreSQL and of its driver.
  'platform/db/database.ts': ['statement_timeout', 'query_timeout', 'idle_in_transaction_session_timeout'],
  'platform/db/embedded/postgres-server.ts': [
    'deadlock_timeout',
    'full_page_writes',
    'listen_addresses',
    'log_checkpoints',
    'log_min_messages',
    'log_timezone',
    'max_connections',
    'max_wal_size',
    'recovery_init_sync_method',
    'shared_buffers',
    'synchronous_commit',
    'unix_socket_directories',
    'unix_socket_permissions',
  ],
  // The multiformats registry.
  'ports/storage/cid.ts': ['sha2_256'],
  // Reasons of x402 why a payment is rejected.
  'features/facilitator/service.ts': ['payee_not_served', 'payer_is_payee', 'amount_below_minimum'],
  // Values of a column.
  'features/admin/audit.ts': ['aml_flag', 'dead_letter'],
  // A table.
  'features/jobs/hiring/prepaid.chain.test.ts': ['idempotency_keys'],
}

const snakeCase = /(?<![\w$-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w$])/g
const picked = /\b(?:Pick|Omit)<[^>]*>/g

/**
 * The snake_case names in the code of a file: whatever is declared, read, destructured or picked from a type. The text of
 * SQL is none of the code, and neither are other strings.
 */
export function findSnakeCase(path: string, text: string): string[] {
  const allowed = Object.entries(fromOthers).flatMap(([end, names]) => (path.endsWith(end) ? names : []))
  const code = [readCode(text).code, ...(text.match(picked) ?? [])].join('\n')
  const names = new Set(code.match(snakeCase))
  return [...names].filter((name) => !allowed.includes(name)).map((name) => `${path}: ${name}`)
}

const alias = /\b([a-z][a-z0-9_]*)\s+as\s+"(\w+)"/gi

/** Aliases that repeat the name that the database layer gives the column anyway: `created_at as "createdAt"`. */
export function findNeedlessAliases(path: string, text: string): string[] {
  return [...text.matchAll(alias)]
    .filter(
      ([, column = '', name]) => column.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase()) === name,
    )
    .map(([found]) => `${path}: ${found}`)
}
