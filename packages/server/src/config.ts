import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isZeroAddress, type Mode, modes } from '@agent-marketplace/contract'
import { StartupError } from './platform/db/startup-error.ts'
import { type Setting, type SettingName, settings } from './settings.ts'

export interface Config {
  mode: Mode
  /** Whether a fresh sandbox is filled with demo data; never in production. */
  demo: boolean
  host: string
  port: number
  publicUrl: URL
  dataDir: string
  databaseUrl: string | undefined
  databasePoolSize: number
  redisUrl: string | undefined
  /** Empty in the sandbox when it is not set: the sandbox brings its own. */
  sessionSecret: string
  /** Opens what the session secret before this one sealed. */
  previousSessionSecret: string | undefined
  adminWallets: ReadonlySet<string>
  /** Whether a signature over the bare nonce signs in, as the spec has it. */
  takesBareNonce: boolean
  agentApproval: 'auto' | 'manual'
  unpaidJobs: { perBuyer: number; perSeller: number }
  trustedProxies: readonly string[]
  corsOrigins: readonly string[]
  /** Names that a sandbox may be reached by, besides those of this machine and of PUBLIC_URL. */
  allowedHosts: readonly string[]
  rateLimitsEnforced: boolean
  /** Gas that users may cause in an hour. */
  gasBudget: { ownerGas: bigint; platformGas: bigint }
  logLevel: string
  /** The values of all settings that are secret. They are taken out of every log line and stored error. */
  secrets: readonly string[]
  metricsToken: string | undefined
  /** Where holes are reported. */
  securityContact: string | undefined
  /** The real counterparts of what the sandbox embeds; undefined where the embedded part is used. */
  chain: ChainConfig | undefined
  facilitatorUrl: string | undefined
  facilitatorToken: string | undefined
  cdp: CdpConfig | undefined
  kubo: KuboConfig | undefined
  s3: S3Config | undefined
  /** How long the files of an ended job are kept; undefined keeps them for good. */
  fileRetentionDays: number | undefined
  sumsub: SumsubConfig | undefined
}

export interface ChainConfig {
  rpcUrl: string
  chainId: number
  escrowAddress: string
  escrowStartBlock: number
  operatorPrivateKey: string
  spenderPrivateKey: string
}

export interface CdpConfig {
  apiKeyId: string
  apiKeySecret: string
  walletSecret: string
}

export interface KuboConfig {
  url: string
  authorization: string | undefined
}

export interface S3Config {
  url: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface SumsubConfig {
  url: string
  appToken: string
  secretKey: string
  webhookSecret: string
  levelName: string
}

const DEVNET_CHAIN_ID = 31_337

type Environment = Readonly<Record<string, string | undefined>>

/** Reads and checks all settings. Everything that is wrong is said at once, and no value of a secret is repeated. */
export function readConfig(environment: Environment): Config {
  const reader = createReader(environment)
  const { get, text, number, choice, list, url, group, problems } = reader
  const mode = choice('MODE', modes)
  const port = number('PORT', 0, 65_535)
  const host = text('HOST')
  choice('ALLOW_DEVNET', ['no', 'yes'])
  const config: Config = {
    mode,
    demo: choice('DEMO', ['on', 'off']) === 'on' && mode === 'sandbox',
    host,
    port,
    publicUrl: readUrl(get('PUBLIC_URL') ?? localUrl(host, port), problems),
    dataDir: resolve(text('DATA_DIR')),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: number('DATABASE_POOL_SIZE', 4, 200),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    sessionSecret: text('SESSION_SECRET'),
    previousSessionSecret: get('SESSION_SECRET_PREVIOUS'),
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
    corsOrigins: list('CORS_ORIGINS', isOrigin, 'an origin such as https://example.com'),
    allowedHosts: list('ALLOWED_HOSTS', isHostName, 'a host name or address without a port'),
    rateLimitsEnforced: choice('RATE_LIMITS', ['on', 'off']) === 'on',
    gasBudget: {
      ownerGas: BigInt(number('GAS_BUDGET_OWNER', 0, MOST_GAS)),
      platformGas: BigInt(number('GAS_BUDGET_PLATFORM', 0, MOST_GAS)),
    },
    logLevel: choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']),
    secrets: secretsIn(get),
    metricsToken: get('METRICS_TOKEN'),
    securityContact: readContact(get('SECURITY_CONTACT'), problems),
    chain: readChain(reader),
    facilitatorUrl: url('FACILITATOR_URL', webProtocols),
    facilitatorToken: get('FACILITATOR_TOKEN'),
    cdp: group({
      apiKeyId: 'CDP_API_KEY_ID',
      apiKeySecret: 'CDP_API_KEY_SECRET',
      walletSecret: 'CDP_WALLET_SECRET',
    }),
    kubo: readKubo(reader),
    s3: readS3(reader),
    fileRetentionDays: number('FILE_RETENTION_DAYS', 0, 36_500) || undefined,
    sumsub: readSumsub(reader),
  }
  if (config.sessionSecret !== '' && config.sessionSecret.length < 32) {
    problems.push('SESSION_SECRET must have at least 32 characters')
  }
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

type Reader = ReturnType<typeof createReader>

function createReader(environment: Environment) {
  const problems: string[] = []
  const get = (name: SettingName): string | undefined => {
    const setting: Setting = settings[name]
    const value = environment[name]?.trim()
    return value ? value : setting.default
  }
  const text = (name: SettingName): string => get(name) ?? ''
  return {
    problems,
    get,
    text,
    number(name: SettingName, from: number, to: number): number {
      const value = Number(text(name))
      if (Number.isInteger(value) && value >= from && value <= to) return value
      problems.push(`${name} must be a whole number from ${from} to ${to}`)
      return from
    },
    choice<const Value extends string>(name: SettingName, values: readonly [Value, ...Value[]]): Value {
      const found = values.find((value) => value === text(name))
      if (found === undefined) problems.push(`${name} must be one of ${values.join(', ')}`)
      return found ?? values[0]
    },
    list(name: SettingName, isRight: (entry: string) => boolean, what: string): string[] {
      const entries = text(name)
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
      for (const entry of entries)
        if (!isRight(entry)) problems.push(`${name}: ${entry.slice(0, 60)} is not ${what}`)
      return entries
    },
    /** An address of something outside. It may hold a password, so that a wrong one is named and not repeated. */
    url(name: SettingName, protocols: readonly string[]): string | undefined {
      const value = get(name)
      const protocol = value && URL.parse(value)?.protocol
      if (value !== undefined && !protocols.some((allowed) => allowed === protocol))
        problems.push(`${name} must be an address that begins with ${protocols.join('// or ')}//`)
      return value
    },
    /** Settings that only make sense together: all of them, or none. */
    group<Key extends string>(names: Record<Key, SettingName>): Record<Key, string> | undefined {
      const entries = Object.entries<SettingName>(names).map(([key, name]) => [key, name, get(name)] as const)
      if (entries.every(([, , value]) => value === undefined)) return undefined
      const missing = entries.filter(([, , value]) => value === undefined).map(([, name]) => name)
      const given = entries.filter(([, , value]) => value !== undefined).map(([, name]) => name)
      if (missing.length > 0) problems.push(`${given.join(', ')} needs ${missing.join(', ')} too`)
      return Object.fromEntries(entries.map(([key, , value]) => [key, value ?? ''])) as Record<Key, string>
    },
  }
}

function readChain({ group, number, url, problems }: Reader): ChainConfig | undefined {
  const found = group({
    rpcUrl: 'RPC_URL',
    chainId: 'CHAIN_ID',
    escrowAddress: 'ESCROW_ADDRESS',
    escrowStartBlock: 'ESCROW_START_BLOCK',
    operatorPrivateKey: 'OPERATOR_PRIVATE_KEY',
    spenderPrivateKey: 'SPENDER_PRIVATE_KEY',
  })
  if (!found) return undefined
  url('RPC_URL', webProtocols)
  if (found.escrowAddress !== '' && !isAddress(found.escrowAddress))
    problems.push('ESCROW_ADDRESS must be an address, and not the zero address')
  return {
    ...found,
    chainId: found.chainId === '' ? 0 : number('CHAIN_ID', 1, 2 ** 31),
    escrowStartBlock: number('ESCROW_START_BLOCK', 0, Number.MAX_SAFE_INTEGER),
  }
}

function readKubo({ get, url }: Reader): KuboConfig | undefined {
  const kuboUrl = url('KUBO_URL', webProtocols)
  return kuboUrl === undefined ? undefined : { url: kuboUrl, authorization: get('KUBO_AUTHORIZATION') }
}

function readS3({ group, text, url }: Reader): S3Config | undefined {
  url('S3_URL', webProtocols)
  const found = group({
    url: 'S3_URL',
    bucket: 'S3_BUCKET',
    accessKeyId: 'S3_ACCESS_KEY_ID',
    secretAccessKey: 'S3_SECRET_ACCESS_KEY',
  })
  return found && { ...found, region: text('S3_REGION') }
}

function readSumsub({ group, text }: Reader): SumsubConfig | undefined {
  const keys = group({
    appToken: 'SUMSUB_APP_TOKEN',
    secretKey: 'SUMSUB_SECRET_KEY',
    webhookSecret: 'SUMSUB_WEBHOOK_SECRET',
  })
  return keys && { ...keys, url: text('SUMSUB_URL'), levelName: text('SUMSUB_LEVEL_NAME') }
}

function productionProblems(config: Config, get: (name: SettingName) => string | undefined): string[] {
  const problems: string[] = []
  const missing = (Object.entries(settings) as [SettingName, Setting][])
    .filter(([name, setting]) => setting.production === 'required' && get(name) === undefined)
    .filter(([name]) => name !== 'KUBO_URL' || config.s3 === undefined)
    .map(([name]) => name)
  if (missing.length > 0)
    problems.push(`MODE=production needs ${missing.join(', ')}: docs/configuration.md says what they are`)
  if (get('PUBLIC_URL') !== undefined && config.publicUrl.protocol !== 'https:')
    problems.push('MODE=production needs an https PUBLIC_URL')
  for (const name of weakSecrets(get))
    problems.push(`MODE=production refuses a ${name} that is easy to guess`)
  const allowsDevnet = get('ALLOW_DEVNET') === 'yes'
  if (config.chain?.chainId === DEVNET_CHAIN_ID && !allowsDevnet)
    problems.push('MODE=production refuses CHAIN_ID 31337; ALLOW_DEVNET=yes is for a rehearsal on a devnet')
  if (!config.rateLimitsEnforced) problems.push('MODE=production refuses RATE_LIMITS=off')
  return problems
}

const secretsIn = (get: (name: SettingName) => string | undefined): string[] =>
  (Object.entries(settings) as [SettingName, Setting][])
    .filter(([, { secret }]) => secret)
    .flatMap(([name]) => get(name) ?? [])

/** Placeholders, and what somebody typed: few different characters, or a short piece over and over. */
function weakSecrets(get: (name: SettingName) => string | undefined): SettingName[] {
  const isWeak = (secret: string) => new Set(secret).size < 8 || /^(.{1,16})\1+$/.test(secret)
  return (Object.entries(settings) as [SettingName, Setting][])
    .filter(([name, { ownSecret }]) => ownSecret && isWeak((get(name) ?? '').replace(/^0x/, '')))
    .map(([name]) => name)
    .filter((name) => get(name) !== undefined)
}

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

const MOST_GAS = 1_000_000_000_000
const webProtocols = ['http:', 'https:']
const isAddress = (entry: string) => /^0x[0-9a-fA-F]{40}$/.test(entry) && !isZeroAddress(entry)
const isOrigin = (entry: string) => URL.parse(entry)?.origin === entry

/** `market.example`, `10.0.0.5` or `[fd00::1]`: what stands in a URL between the slashes and the port. */
const isHostName = (entry: string) => {
  const url = URL.parse(`http://${entry}`)
  return url !== null && url.hostname === entry.toLowerCase() && url.host === url.hostname
}

function isNetwork(entry: string): boolean {
  const [address = '', prefix] = entry.split('/')
  const family = isIP(address)
  if (family === 0) return false
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}
