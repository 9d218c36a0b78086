/** One environment variable: what it is for, and what it is when it is not set. */
export interface Setting {
  about: string
  default?: string
  /** MODE=production refuses to start without it. */
  production?: 'required'
  /** Never shown, logged or repeated in an error. */
  secret?: boolean
  /** A secret that the host makes up, so that it can be a weak one. Production refuses those. */
  ownSecret?: boolean
}

/** Every setting, written once. `read-config.ts` reads them; docs/configuration.md is generated from this table. */
export const settings = {
  MODE: {
    default: 'sandbox',
    about: '`sandbox` includes everything; `production` refuses every embedded or default part.',
  },
  DEMO: {
    default: 'on',
    about:
      '`off` leaves the sandbox empty. Otherwise its first start fills it with twelve weeks of demo data, and three house agents deliver at once. No effect in production.',
  },
  PORT: { default: '4000', about: 'Port to listen on.' },
  HOST: {
    default: '127.0.0.1',
    about:
      'Address to listen on. `0.0.0.0` listens on all of them, for a reverse proxy or a container; a sandbox then serves everyone who reaches it.',
  },
  PUBLIC_URL: {
    production: 'required',
    about:
      'The address users reach the service at, https in production. Sandbox default: `http://localhost:PORT`.',
  },
  ROLE: {
    default: 'all',
    about:
      '`api` serves requests and leaves background work to others; `worker` does background work and serves only `/health/*` and `/metrics`; `all` does both. A sandbox is one process and does both.',
  },
  DATA_DIR: {
    default: '.data',
    about: 'Folder of the embedded database, chain, keys and files. Used by one process at a time.',
  },
  PREPARED_DIR: {
    default: '.runtime/prepared',
    about:
      'Folder with copies of newly made sandboxes. For a day, a sandbox that is created or reset with the same settings and the same version begins as such a copy, with the same test wallets, and starts in seconds. `off` neither keeps nor uses copies; a folder that belongs to another account or lies in `DATA_DIR` has the same effect. No effect in production.',
  },
  DATABASE_URL: {
    production: 'required',
    secret: true,
    about: 'A PostgreSQL 15 or newer. Without it the sandbox runs its own.',
  },
  DATABASE_POOL_SIZE: { default: '16', about: 'Connections of this process to the database.' },
  DATABASE_REPLICA_URLS: {
    secret: true,
    about:
      'Streaming replicas of that database that serve lists, search, profiles and public pages, comma separated; each address is one server, not a balancer. With `REDIS_URL` they also serve signed-in callers.',
  },
  DATABASE_REPLICA_MAX_LAG_MS: {
    default: '5000',
    about: 'Replicas that lag further behind than this are skipped, and the primary is read instead.',
  },
  REDIS_URL: {
    secret: true,
    about:
      'A Redis through which several processes share their rate limits and, with replicas, the position of each owner’s last write. Without it each process counts on its own, and signed-in callers read the primary.',
  },
  SESSION_SECRET: {
    production: 'required',
    secret: true,
    ownSecret: true,
    about:
      'Signs sessions, CSRF tokens, cursors and the cookies of pending OAuth requests, and seals webhook secrets and owners’ personal data; at least 32 characters. The sandbox makes one and keeps it in DATA_DIR.',
  },
  SESSION_SECRET_PREVIOUS: {
    secret: true,
    about:
      'The previous SESSION_SECRET, during a rotation: it unseals stored data and completes pending OAuth requests, but signs nobody in. Remove it once `npm run keys:rotate` has finished.',
  },
  RECEIPT_KEY: {
    secret: true,
    ownSecret: true,
    about:
      'Signs the offers and receipts of orders (x402 extension offer-receipt); at least 32 characters, such as the output of `openssl rand -hex 32`. The sandbox derives one from SESSION_SECRET; in production nothing is signed without it.',
  },
  RECEIPT_KEYS_RETIRED: {
    default: '',
    about:
      'Public parts (`x`) of earlier keys, comma separated, as `/.well-known/did.json` showed them: what they signed can still be verified.',
  },
  ADMIN_WALLETS: { default: '', about: 'Wallets whose owners are admins, comma separated.' },
  AUTH_BARE_NONCE: {
    default: 'on',
    about:
      '`off` accepts only signatures over the whole EIP-4361 message, which names site, chain and time. Otherwise a signature over the bare nonce is accepted too.',
  },
  AGENT_APPROVAL: {
    default: 'auto',
    about: '`auto` lists an agent once it is registered on chain; `manual` waits for an admin.',
  },
  TRUSTED_PROXIES: {
    default: '',
    about:
      'Addresses or networks (CIDR) of reverse proxies whose X-Forwarded-For is trusted, comma separated.',
  },
  MAX_CONNECTIONS: {
    default: '10000',
    about:
      'How many client connections this process keeps open at most, live streams and waiting calls included. One address gets a quarter of them, unless it is in TRUSTED_PROXIES. Beyond that, the connection that has waited longest for a request is closed; if all have a request under way, the oldest whose client does not send the body or read the response.',
  },
  CORS_ORIGINS: {
    default: '',
    about: 'Origins of other sites whose pages may call the API with cookies, comma separated.',
  },
  ALLOWED_HOSTS: {
    default: '',
    about:
      'Host names that a sandbox accepts besides localhost, its own IP addresses and the host of PUBLIC_URL, comma separated, without ports. Others get 421.',
  },
  RATE_LIMITS: {
    default: 'on',
    about: '`off` stops enforcing the limits, for benchmarks; the headers stay. Refused in production.',
  },
  GAS_BUDGET_OWNER: {
    default: '100000000',
    about:
      'Gas that one owner may cause in an hour: about 800 x402 settlements, 250 registrations beyond a paid quota, or 100 escrow jobs. Beyond it calls that need gas return 429.',
  },
  GAS_BUDGET_PLATFORM: {
    default: '5000000000',
    about:
      'Gas that all owners together may cause in an hour. Admins are alerted at 80%. With RATE_LIMITS=off both budgets are counted but not enforced.',
  },
  MAX_UNPAID_JOBS: {
    default: '100',
    about:
      'How many jobs of one buyer may wait for payment at once; 0 is no limit, as with `RATE_LIMITS=off`.',
  },
  MAX_UNPAID_JOBS_PER_SELLER: {
    default: '25',
    about: 'The same for the jobs of one buyer with one seller.',
  },
  REQUEST_LOG_DAYS: {
    default: '7',
    about:
      'Days for which owners see the requests of their API keys and connected apps. 0 records none. Each request takes about 450 bytes of the database.',
  },
  WEBHOOK_LOG_DAYS: {
    default: '30',
    about:
      'Days for which owners see the deliveries of their webhooks. They are removed by whole months, so they stay up to a month longer in the database. 0 keeps them forever.',
  },
  AGENT_VIEW_DAYS: {
    default: '400',
    about:
      'Days for which views of agents are kept for their sellers, removed by whole months. 0 keeps them forever. Statistics reach back a year at most.',
  },
  NOTIFICATION_DAYS: {
    default: '0',
    about:
      'Days for which notifications, read or not, and the events that `GET /api/events` lists are kept. 0 keeps them forever.',
  },
  ARCHIVE_DIR: {
    about:
      'Folder to which workers write months of deliveries, requests and views, compressed, before they remove them. Without it, months are removed and not kept, and `npm run archive` writes to `DATA_DIR/archive`.',
  },
  LOG_LEVEL: { default: 'info', about: '`debug`, `info`, `warn`, `error` or `silent`.' },
  METRICS_TOKEN: {
    secret: true,
    ownSecret: true,
    production: 'required',
    about: 'Bearer token that /metrics requires. Open in the sandbox without it.',
  },
  SECURITY_CONTACT: {
    about:
      'Where to report vulnerabilities, shown at `/.well-known/security.txt`: an address such as `mailto:…` or `https://…`. Without it there is no such file.',
  },
  RPC_URL: {
    production: 'required',
    secret: true,
    about: 'JSON-RPC of the chain. The sandbox runs its own, and refuses to start with this.',
  },
  CHAIN_ID: {
    production: 'required',
    about: '8453 (Base) or 84532 (Base Sepolia). The embedded chain is 31337.',
  },
  ALLOW_DEVNET: {
    default: 'no',
    about: '`yes` lets MODE=production run on a devnet (chain id 31337) and with CDP_URL, for a rehearsal.',
  },
  ESCROW_ADDRESS: {
    production: 'required',
    about: 'The escrow contract, as the deploy command prints it. Arbiter and treasury are read from it.',
  },
  ESCROW_START_BLOCK: {
    production: 'required',
    about: 'The block of the escrow’s deployment, from which its events are read.',
  },
  OPERATOR_PRIVATE_KEY: {
    production: 'required',
    secret: true,
    ownSecret: true,
    about:
      'Key of the account that relays what users signed, and pays the gas. It must be the operator of the escrow.',
  },
  SPENDER_PRIVATE_KEY: {
    production: 'required',
    secret: true,
    ownSecret: true,
    about: 'Key of the account that pulls subscriptions.',
  },
  FACILITATOR_URL: {
    secret: true,
    about: 'A remote x402 facilitator. Without it payments are settled in process.',
  },
  FACILITATOR_TOKEN: { secret: true, about: 'Bearer token for that facilitator, where it requires one.' },
  CDP_API_KEY_ID: {
    production: 'required',
    secret: true,
    about:
      'Coinbase CDP API key. Agent wallets live in its enclaves; the sandbox seals keys on its own disk instead.',
  },
  CDP_API_KEY_SECRET: { production: 'required', secret: true, about: 'Secret of that key.' },
  CDP_WALLET_SECRET: { production: 'required', secret: true, about: 'CDP wallet secret.' },
  CDP_URL: {
    about:
      'Address of the CDP API, for a rehearsal without Coinbase; production needs ALLOW_DEVNET=yes for it. Without it: Coinbase’s own.',
  },
  KUBO_URL: {
    production: 'required',
    secret: true,
    about:
      'RPC address of an IPFS Kubo node that keeps deliveries. Not needed with S3_URL. The sandbox keeps them in DATA_DIR.',
  },
  KUBO_AUTHORIZATION: { secret: true, about: 'Authorization header for that node, where it requires one.' },
  S3_URL: {
    about:
      'Address of a service that speaks S3 and keeps deliveries, in place of a Kubo node. The bucket is named in the path.',
  },
  S3_BUCKET: { about: 'The bucket there. It must exist.' },
  S3_REGION: { default: 'us-east-1', about: 'Its region, which signatures name.' },
  S3_ACCESS_KEY_ID: { secret: true, about: 'Access key that reads, writes and deletes in the bucket.' },
  S3_SECRET_ACCESS_KEY: { secret: true, about: 'Secret of that key.' },
  FILE_RETENTION_DAYS: {
    default: '0',
    about:
      'Days for which the files of a job’s deliveries and messages are kept after its end. 0 keeps them forever. Their names and CIDs are always kept.',
  },
  EMBEDDINGS_URL: {
    secret: true,
    about:
      'A service that speaks OpenAI’s `POST /embeddings`, such as `https://api.openai.com/v1`: search then finds agents by meaning too. It receives search texts and agent profiles. Without it, search uses words alone.',
  },
  EMBEDDINGS_API_KEY: { secret: true, about: 'Bearer token for that service, where it requires one.' },
  EMBEDDINGS_MODEL: {
    default: 'text-embedding-3-small',
    about: 'The model there. After a change, all agents are embedded again.',
  },
  EMBEDDINGS_MIN_SIMILARITY: {
    default: '30',
    about:
      'The percentage (the cosine times 100) from which an agent counts as close in meaning. The default suits the default model; others need more, up to 80.',
  },
  WALLETCONNECT_PROJECT_ID: {
    about:
      'Project id of WalletConnect, 32 hex digits: visitors can then sign in with a wallet on their phone. Nothing is loaded and no relay is contacted until a visitor chooses it. The id is public.',
  },
  WALLETCONNECT_RELAY_URL: {
    default: 'wss://relay.walletconnect.org',
    about: 'The relay through which the page and the wallet exchange sealed messages; `wss:` in production.',
  },
  ONRAMP_URL: {
    about:
      'A page where users can buy USDC: an https address with `{address}` in place of their wallet, such as `https://pay.example/buy?address={address}`. It is linked where they add USDC; without it there is no link.',
  },
  SUMSUB_APP_TOKEN: {
    production: 'required',
    secret: true,
    about: 'Sumsub app token. The sandbox verifies sellers on a page of its own.',
  },
  SUMSUB_SECRET_KEY: {
    production: 'required',
    secret: true,
    about: 'Sumsub secret key that signs requests.',
  },
  SUMSUB_WEBHOOK_SECRET: {
    production: 'required',
    secret: true,
    ownSecret: true,
    about: 'Secret of the Sumsub webhook that points at /api/webhooks/kyc.',
  },
  SUMSUB_LEVEL_NAME: { default: 'basic-kyc-level', about: 'Sumsub verification level.' },
  SUMSUB_URL: { default: 'https://api.sumsub.com', about: 'Sumsub API address.' },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

export const namedSettings = Object.entries(settings) as readonly (readonly [SettingName, Setting])[]
