import type { Mode } from '@agent-marketplace/contract'

export interface Config {
  mode: Mode
  /** Whether a fresh sandbox is filled with demo data; never in production. */
  demo: boolean
  /** What this process does: serve requests, work in the background, or both. */
  role: 'all' | 'api' | 'worker'
  host: string
  port: number
  publicUrl: URL
  dataDir: string
  /** Where copies of new sandboxes are kept for later ones; undefined keeps none, as in production. */
  preparedDirectory: string | undefined
  databaseUrl: string | undefined
  databasePoolSize: number
  /** Servers that may be read for public pages, and how far behind they may be. */
  replicas: { urls: readonly string[]; maxLagMs: number }
  redisUrl: string | undefined
  /** Empty in the sandbox when it is not set: the sandbox brings its own. */
  sessionSecret: string
  /** What the key that signs receipts is drawn from; undefined signs none. */
  receiptKey: string | undefined
  retiredReceiptKeys: readonly string[]
  /** Opens what the session secret before this one sealed. */
  previousSessionSecret: string | undefined
  adminWallets: ReadonlySet<string>
  /** Whether a signature over the bare nonce signs in, as the spec has it. */
  takesBareNonce: boolean
  agentApproval: 'auto' | 'manual'
  unpaidJobs: { perBuyer: number; perSeller: number }
  trustedProxies: readonly string[]
  /** How many client connections this process keeps open at most. */
  maxConnections: number
  corsOrigins: readonly string[]
  /** Names that a sandbox may be reached by, besides those of this machine and of PUBLIC_URL. */
  allowedHosts: readonly string[]
  rateLimitsEnforced: boolean
  /** Gas that users may cause in an hour. */
  gasBudget: { ownerGas: bigint; platformGas: bigint }
  /** How long the requests of programs are kept for their owners; undefined records none. */
  requestLogDays: number | undefined
  /** How long deliveries of webhooks are listed; undefined lists all. */
  webhookLogDays: number | undefined
  /** How long views of agents are kept; undefined keeps them for good. */
  agentViewDays: number | undefined
  /** How long notifications are kept; undefined keeps them for good. */
  notificationDays: number | undefined
  /** Where months are written before they are removed; undefined removes them. */
  archiveDirectory: string | undefined
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
  /** Undefined where search goes by words alone. */
  embeddings: EmbeddingsConfig | undefined
  /** Undefined where wallets on other devices cannot be connected. */
  walletConnect: WalletConnectConfig | undefined
  /** Where USDC is bought; `{address}` stands for the wallet. */
  onrampUrl: string | undefined
  sumsub: SumsubConfig | undefined
}

export interface WalletConnectConfig {
  projectId: string
  relayUrl: string
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
  /** Undefined: Coinbase's own. */
  url: string | undefined
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

export interface EmbeddingsConfig {
  url: string
  apiKey: string | undefined
  model: string
  /** The least cosine of two vectors whose texts count as close. */
  minSimilarity: number
}

export interface SumsubConfig {
  url: string
  appToken: string
  secretKey: string
  webhookSecret: string
  levelName: string
}
