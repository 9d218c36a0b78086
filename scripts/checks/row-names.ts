import { readCode } from './source-text.ts'

/** What OAuth calls its parameters, and the fields of its metadata. */
const ofOAuth = [
  'access_token',
  'authorization_endpoint',
  'authorization_response_iss_parameter_supported',
  'authorization_servers',
  'bearer_methods_supported',
  'client_id',
  'client_id_metadata_document_supported',
  'client_name',
  'code_challenge',
  'code_challenge_method',
  'code_challenge_methods_supported',
  'code_verifier',
  'error_description',
  'expires_in',
  'grant_type',
  'grant_types',
  'grant_types_supported',
  'id_token_signed_response_alg',
  'redirect_uri',
  'redirect_uris',
  'refresh_token',
  'registration_endpoint',
  'resource_documentation',
  'resource_name',
  'response_mode',
  'response_modes_supported',
  'response_type',
  'response_types_supported',
  'revocation_endpoint',
  'revocation_endpoint_auth_methods_supported',
  'scopes_supported',
  'service_documentation',
  'token_endpoint',
  'token_endpoint_auth_method',
  'token_endpoint_auth_methods_supported',
]

/** Names that are snake_case because others chose them, by the end of the file that needs them. */
const fromOthers: Record<string, readonly string[]> = {
  // Settings of PostgreSQL and of its driver.
  'platform/db/listen.ts': ['query_timeout'],
  'platform/queue/boss.ts': ['query_timeout'],
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
  // OAuth (RFC 6749, 7591, 8414, 9728).
  'platform/http/challenge.ts': ['resource_metadata'],
  'features/oauth/adapter.ts': ofOAuth,
  'features/oauth/consent.ts': ofOAuth,
  'features/oauth/metadata.ts': ofOAuth,
  'features/oauth/oauth.test.ts': ofOAuth,
  'features/oauth/provider.ts': ofOAuth,
  'features/oauth/rules.test.ts': ofOAuth,
  'features/oauth/rules.ts': ofOAuth,
  'features/oauth/testing/client-requests.ts': ofOAuth,
  'features/oauth/testing/oauth-calls.ts': ofOAuth,
  'features/request-log/routes.test.ts': ofOAuth,
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
