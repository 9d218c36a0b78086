import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { modes } from '@agent-marketplace/contract'
import { StartupError } from '../platform/db/startup-error.ts'
import type { Config } from './config.ts'
import { isAddress, isHostName, isNetwork, isOrigin, isPublicKey, webProtocols } from './entry-rules.ts'
import {
  readCdp,
  readChain,
  readEmbeddings,
  readKubo,
  readOnramp,
  readS3,
  readSumsub,
  readWalletConnect,
} from './outside-settings.ts'
import { productionProblems } from './production-rules.ts'
import { createSettingReader, type Environment, type GetSetting } from './setting-reader.ts'
import { namedSettings } from './settings.ts'

const databaseProtocols = ['postgres:', 'postgresql:']
const MOST_GAS = 1_000_000_000_000

/** Reads and checks all settings. Everything that is wrong is said at once, and no value of a secret is repeated. */
export function readConfig(environment: Environment): Config {
  const reader = createSettingReader(environment)
  const { get, text, number, choice, list, url, urls, problems } = reader
  const mode = choice('MODE', modes)
  const port = number('PORT', 0, 65_535)
  const host = text('HOST')
  const replicaUrls = urls('DATABASE_REPLICA_URLS', databaseProtocols)
  choice('ALLOW_DEVNET', ['no', 'yes'])
  const config: Config = {
    mode,
    demo: choice('DEMO', ['on', 'off']) === 'on' && mode === 'sandbox',
    role: choice('ROLE', ['all', 'api', 'worker']),
    host,
    port,
    publicUrl: readUrl(get('PUBLIC_URL') ?? localUrl(host, port), problems),
    dataDir: resolve(text('DATA_DIR')),
    preparedDirectory:
      mode === 'sandbox' && text('PREPARED_DIR') !== 'off' ? resolve(text('PREPARED_DIR')) : undefined,
    databaseUrl: url('DATABASE_URL', databaseProtocols),
    databasePoolSize: number('DATABASE_POOL_SIZE', 4, 200),
    replicas: {
      urls: replicaUrls,
      maxLagMs: number('DATABASE_REPLICA_MAX_LAG_MS', 100, 600_000),
    },
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    sessionSecret: text('SESSION_SECRET'),
    previousSessionSecret: get('SESSION_SECRET_PREVIOUS'),
    receiptKey: get('RECEIPT_KEY'),
    retiredReceiptKeys: list('RECEIPT_KEYS_RETIRED', isPublicKey, 'the x of an Ed25519 key'),
    adminWallets: new Set(
      list('ADMIN_WALLETS', isAddress, 'a wallet address').map((wallet) => wallet.toLowerCase()),
    ),
    takesBareNonce: choice('AUTH_BARE_NONCE', ['on', 'off']) === 'on',
    agentApproval: choice('AGENT_APPROVAL', ['auto', 'manual']),
    unpaidJobs: {
      perBuyer: number('MAX_UNPAID_JOBS', 0, 1_000_000),
      perSeller: number('MAX_UNPAID_JOBS_PER_SELLER', 0, 1_000_000),
    },
    trustedProxies: list('TRUSTED_PROXIES', isNetwork, 'an address or network'),
    maxConnections: number('MAX_CONNECTIONS', 100, 1_000_000),
    corsOrigins: list('CORS_ORIGINS', isOrigin, 'an origin such as https://example.com'),
    allowedHosts: list('ALLOWED_HOSTS', isHostName, 'a host name or address without a port'),
    rateLimitsEnforced: choice('RATE_LIMITS', ['on', 'off']) === 'on',
    gasBudget: {
      ownerGas: BigInt(number('GAS_BUDGET_OWNER', 0, MOST_GAS)),
      platformGas: BigInt(number('GAS_BUDGET_PLATFORM', 0, MOST_GAS)),
    },
    requestLogDays: number('REQUEST_LOG_DAYS', 0, 365) || undefined,
    webhookLogDays: number('WEBHOOK_LOG_DAYS', 0, 36_500) || undefined,
    agentViewDays: number('AGENT_VIEW_DAYS', 0, 36_500) || undefined,
    notificationDays: number('NOTIFICATION_DAYS', 0, 36_500) || undefined,
    archiveDirectory: get('ARCHIVE_DIR'),
    logLevel: choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']),
    secrets: [...secretsIn(get), ...replicaUrls],
    metricsToken: get('METRICS_TOKEN'),
    securityContact: readContact(get('SECURITY_CONTACT'), problems),
    chain: readChain(reader),
    facilitatorUrl: url('FACILITATOR_URL', webProtocols),
    facilitatorToken: get('FACILITATOR_TOKEN'),
    cdp: readCdp(reader),
    kubo: readKubo(reader),
    s3: readS3(reader),
    fileRetentionDays: number('FILE_RETENTION_DAYS', 0, 36_500) || undefined,
    embeddings: readEmbeddings(reader),
    walletConnect: readWalletConnect(reader),
    onrampUrl: readOnramp(reader),
    sumsub: readSumsub(reader),
  }
  if (config.sessionSecret !== '' && config.sessionSecret.length < 32) {
    problems.push('SESSION_SECRET must have at least 32 characters')
  }
  if (config.receiptKey !== undefined && config.receiptKey.length < 32) {
    problems.push('RECEIPT_KEY must have at least 32 characters')
  }
  if (config.replicas.urls.length > 0 && !config.databaseUrl)
    problems.push('DATABASE_REPLICA_URLS needs DATABASE_URL')
  if (config.kubo && config.s3) problems.push('Files are kept in one place: set KUBO_URL or S3_URL, not both')
  if (config.mode === 'production') problems.push(...productionProblems(config, get))
  if (config.mode === 'sandbox' && config.chain)
    problems.push(
      'RPC_URL needs MODE=production: a sandbox gives its powers to anyone, on its own chain alone',
    )
  if (problems.length > 0) throw new StartupError(listProblems(problems))
  return config
}

/** One problem is one line; several are a list, for a line of all of them would be read by nobody. */
function listProblems(problems: readonly string[]): string {
  const different = [...new Set(problems)]
  if (different.length === 1) return `Cannot start: ${different[0]}.`
  return ['Cannot start:', ...different.map((problem) => `- ${problem}`)].join('\n')
}

const secretsIn = (get: GetSetting): string[] =>
  namedSettings.filter(([, { secret }]) => secret).flatMap(([name]) => get(name) ?? [])

/** A contact as RFC 9116 writes it. It becomes a line of a text, so it must be one. */
function readContact(contact: string | undefined, problems: string[]): string | undefined {
  if (contact !== undefined && !/^(https:\/\/|mailto:|tel:)[\x21-\x7e]+$/.test(contact)) {
    problems.push('SECURITY_CONTACT must begin with https://, mailto: or tel:')
  }
  return contact
}

function readUrl(value: string, problems: string[]): URL {
  const url = URL.parse(value)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  problems.push('PUBLIC_URL must be an http or https address')
  return new URL('http://localhost')
}

/** An address that works on this machine: `localhost`, unless we listen somewhere that it does not lead to. */
function localUrl(host: string, port: number): string {
  const isLocal = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host)
  return `http://${isLocal ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
