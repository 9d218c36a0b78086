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
const comment = /\/\*[\s\S]*?\*\/|\/\/.*/y
const quoted = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y
const templateText = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)?/y
/** What comes before a pattern and never before a division. */
const beforePattern = /(?:^|[=(,:[!&|?{};>]|\breturn)\s*$/
const picked = /\b(?:Pick|Omit)<[^>]*>/g

/** The code of a file without comments, the text of templates, strings and patterns; what a template inserts is code. */
function codeOf(text: string): string {
  const code: string[] = []
  /** For each template that is open: how many braces are open in what it inserts. */
  const templates: number[] = []
  let at = 0
  const skip = (token: RegExp): boolean => {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return false
    at = token.lastIndex
    return true
  }
  const skipTemplateText = (): void => {
    skip(templateText)
    if (text.startsWith('${', at - 2)) templates.push(0)
  }
  while (at < text.length) {
    const start = at
    const char = text.charAt(at)
    if (char === '/' && skip(comment)) continue
    if (char === '/' && beforePattern.test(code.slice(-40).join('')) && skip(pattern)) {
      code.push('0')
      continue
    }
    if ((char === "'" || char === '"') && skip(quoted)) {
      code.push('0')
      continue
    }
    at = start + 1
    const open = templates.at(-1)
    if (char === '`') skipTemplateText()
    else if (char === '}' && open === 0) {
      templates.pop()
      code.push(' ')
      skipTemplateText()
    } else {
      if (open !== undefined && char === '{') templates[templates.length - 1] = open + 1
      if (open !== undefined && char === '}') templates[templates.length - 1] = open - 1
      code.push(char)
    }
  }
  return code.join('')
}

/**
 * The snake_case names in the code of a file: whatever is declared, read, destructured or picked from a type. The text of
 * SQL is none of the code, and neither are other strings.
 */
export function findSnakeCase(path: string, text: string): string[] {
  const allowed = Object.entries(fromOthers).flatMap(([end, names]) => (path.endsWith(end) ? names : []))
  const code = [codeOf(text), ...(text.match(picked) ?? [])].join('\n')
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
