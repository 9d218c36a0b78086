import { randomBytes } from 'node:crypto'
import type { AgentDetail, Review } from '@agent-marketplace/contract'
import { pino } from 'pino'
import { walletAccount } from '../../../money/books/accounts.ts'
import { watchWallets } from '../../../money/following/watched-wallets.ts'
import { createIntents } from '../../../money/intents/create-intents.ts'
import type { ChainEvent, Intents, PreparedCall } from '../../../money/intents/intents.ts'
import { createKinds } from '../../../money/intents/kinds.ts'
import { createDatabase, type Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { createIdSource, type NewId } from '../../../platform/id/id.ts'
import { createEmbeddedWallets } from '../../../ports/wallets/embedded.ts'
import type { WalletsPort } from '../../../ports/wallets/port.ts'
import { createSealedKeyStore } from '../../../ports/wallets/sealed-key-store.ts'
import { createTestClock } from '../../../testing/test-clock.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { createNotificationsService } from '../../notifications/service.ts'
import type { IdentityRegistry } from '../lifecycle/identity.ts'
import type { AgentRegistry } from '../lifecycle/registration.ts'
import { agentsRoutes } from '../routes.ts'
import { createAgentsService } from '../service.ts'

export const registryReference = 'eip155:31337:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'
export const operatorReference = 'eip155:31337:0x00000000000000000000000000000000000000Aa'

export const formA = {
  name: 'Ledger Lark',
  description: 'Reconciles on-chain payments with your books.',
  category: 'Finance',
  hourlyRateUsdc: '25000000',
}

export const formB = {
  name: 'Solidity Swan',
  type: 'security',
  bio: 'Reads contracts line by line.',
  skills: ['Solidity', 'audits'],
  services: [
    { name: 'Full audit', priceUSDC: '900000000', deliveryTime: 72, x402Enabled: false },
    { name: 'Quick look', priceUSDC: '40000000' },
  ],
  guardrails: { sessionCapUsdc: '500000000', perTxLimitUsdc: '100000000', allowedSkills: ['audits'] },
}

/** Calls whose bytes a test can read. */
type TestRegistry = AgentRegistry & IdentityRegistry

const readableRegistry: TestRegistry = {
  reference: registryReference,
  operator: operatorReference,
  register: ({ agentUri }) => readableCall(agentUri),
  transfer: ({ onChainAgentId, to }) => readableCall(`${onChainAgentId} ${to}`),
  entryOf: async () => undefined,
  setWallet: ({ onChainAgentId, wallet }) => readableCall(`${onChainAgentId} ${wallet}`),
}

function readableCall(text: string): PreparedCall {
  return { to: `0x${'80'.repeat(20)}`, data: `0x${Buffer.from(text).toString('hex')}`, value: 0n }
}

export interface TestSeller {
  ownerId: string
  walletAddress: string
  headers: { authorization: string }
}

export interface TestAgentsOptions {
  approvesItself?: boolean
  /** Who carries out intents, and how the registry is called. Without it intents wait until `settle` plays the chain. */
  money?: (deps: { db: Database; newId: NewId }) => { intents: Intents; registry: TestRegistry }
  timeOfChain?: () => Promise<Date>
}

/** The feature on a real database, with real wallets and real intents. */
export async function startAgents({ approvesItself = true, money, timeOfChain }: TestAgentsOptions = {}) {
  const database = await createTestDatabase()
  const { db, connection } = database
  const searchDb = createDatabase({
    connection,
    poolSize: 4,
    log: pino({ level: 'silent' }),
    statementTimeoutMs: 2_000,
  })
  const clock = createTestClock()
  const newId = createIdSource(clock)
  const kinds = createKinds()
  const { intents, registry } = money?.({ db, newId }) ?? {
    intents: createIntents({ db, newId, kinds }),
    registry: readableRegistry,
  }
  const notifications = createNotificationsService({ db, clock, newId })
  const embedded = createEmbeddedWallets({
    masterKeys: { current: { id: 'test', key: randomBytes(32) } },
    store: createSealedKeyStore(db),
    token: { name: 'USDC', version: '2', chainId: 31337, verifyingContract: `0x${'11'.repeat(20)}` },
  })
  const quotas = new Map<string, number>()
  const wallets: { port: WalletsPort; made: string[] } = { port: embedded, made: [] }
  const reviews = new Map<string, Review[]>()
  const portfolios = new Map<string, AgentDetail['portfolio']>()

  const agents = createAgentsService({
    db,
    searchDb,
    clock,
    newId,
    intents,
    notify: notifications.notify,
    wallets: {
      custody: embedded.custody,
      provision(request) {
        wallets.made.push(request.agentId)
        return wallets.port.provision(request)
      },
      updateLimits: (request) => wallets.port.updateLimits(request),
      signConsent: (request) => wallets.port.signConsent(request),
    },
    quotaOf: async (_db, ownerId) => ({ quota: quotas.get(ownerId) ?? 1, until: null }),
    premiumUntilOf: async () => null,
    watchWallet: (tx, address) => watchWallets(tx, [{ address, account: walletAccount(address) }]),
    approvesItself,
    cursorSecret: 'a secret for cursors in tests',
    publicUrl: new URL('https://market.example'),
    registry,
    timeOfChain: timeOfChain ?? (async () => clock.now()),
    walletOf: async (queryable, ownerId) => {
      const owner = await queryable.one<{ walletAddress: string }>(
        sql`select wallet_address from owners where id = ${ownerId}`,
      )
      return owner.walletAddress
    },
    sellersOf: async (queryable, ids) => {
      const rows = await queryable.rows<{ id: string; walletAddress: string }>(
        sql`select id, wallet_address from owners where id = any(${ids})`,
      )
      const verifiedBusiness = 'Analytical Engines Ltd'
      return new Map(rows.map(({ id, walletAddress }) => [id, { walletAddress, verifiedBusiness }]))
    },
    reviewsOf: async (_db, ids) => new Map(ids.map((id) => [id, reviews.get(id) ?? []])),
    portfoliosOf: async (_db, ids) => new Map(ids.map((id) => [id, portfolios.get(id) ?? []])),
  })
  for (const kind of agents.intentKinds) intents.register(kind)
  const http = await createTestHttp(agentsRoutes({ agents, chainId: 31337 }), {
    db,
    clock,
    idempotency: createIdempotency({ db, clock }),
    rateLimitsEnforced: false,
  })
  agents.hotPages.install(http.app)

  async function newSeller({
    quota = 1,
    ...principal
  }: Partial<Principal> & { quota?: number } = {}): Promise<TestSeller> {
    const ownerId = newId()
    const walletAddress = `0x${randomBytes(20).toString('hex')}`
    await db.run(sql`
      insert into owners (id, wallet_address, kyc_status, kyc_fee_paid, created_at)
      values (${ownerId}, ${walletAddress}, 'VERIFIED', true, ${clock.now()})`)
    quotas.set(ownerId, quota)
    const token = tokenFor({ kycStatus: 'VERIFIED', kycFeePaid: true, ...principal, ownerId })
    return { ownerId, walletAddress, headers: { authorization: `Bearer ${token}` } }
  }

  const send = (
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    headers: Record<string, string> = {},
    payload?: object,
  ) => http.app.inject({ method, url, headers, ...(payload && { payload }) })

  let nextOnChainId = 0n

  return {
    app: http.app,
    agents,
    db,
    searchDb,
    clock,
    kinds,
    intents,
    quotas,
    wallets,
    embedded,
    reviews,
    portfolios,
    newSeller,
    send,
    create: (seller: TestSeller, payload: object = formB, headers: Record<string, string> = {}) =>
      send('POST', '/api/agents', { ...seller.headers, ...headers }, payload),

    /** What the money engine does once the registration is in a block. */
    async settle(agentId: string): Promise<bigint> {
      const intent = await intents.find(db, `agent.register:${agentId}`)
      if (!intent) throw new Error(`there is no intent to register ${agentId}`)
      const onChainId = nextOnChainId
      nextOnChainId += 1n
      const place = { blockNumber: 1n, blockHash: '0x01', transactionHash: '0x02', logIndex: 0 } as const
      const event: ChainEvent = {
        ...place,
        name: 'AgentRegistered',
        agentId: onChainId,
        owner: '0x03',
        agentUri: 'uri',
      }
      const settlement = {
        chainId: 31337,
        txHash: '0x02',
        blockNumber: 1n,
        blockHash: '0x01',
        blockTime: clock.now(),
        events: [event],
      }
      await db.transaction((tx) => kinds.of('agent.register').onSettled(tx, intent, settlement))
      return onChainId
    },

    told: (ownerId: string) =>
      db.rows<{ type: string; message: string }>(
        sql`select type, message from notifications where owner_id = ${ownerId} order by seq`,
      ),
    async close() {
      await http.close()
      await searchDb.close()
      await database.close()
    },
  }
}

export type TestAgents = Awaited<ReturnType<typeof startAgents>>
