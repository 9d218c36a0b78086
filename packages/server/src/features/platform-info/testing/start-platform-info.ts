import { pino } from 'pino'
import { createMetrics } from '../../../platform/http/metrics.ts'
import { createTestHttp } from '../../../testing/test-http.ts'
import type { HealthCheck } from '../health.ts'
import { registerPlatformInfo } from '../register.ts'
import { type ChainFacts, platformInfoRoutes } from '../routes.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`

export const chainFacts: ChainFacts = {
  mode: 'sandbox',
  chain: { id: 31337, name: 'Devnet', rpcUrl: 'http://localhost:4000/rpc', explorerUrl: null },
  contracts: {
    usdc: address('1'),
    escrow: address('2'),
    agentRegistry: address('3'),
    reputationRegistry: address('4'),
    spendPermissionManager: address('5'),
    arbiter: address('6'),
    treasury: address('7'),
  },
  usdc: { address: address('1'), name: 'USD Coin', version: '2', decimals: 6 },
  spender: address('8'),
  custody: { isTee: false, statement: 'Keys are kept by the service.' },
}

export interface TestPlatformInfoOptions {
  parts?: Record<string, HealthCheck>
  timeLimitMs?: number
  metricsToken?: string
  securityContact?: string
}

/** The pages of this feature over HTTP, with the database as their one real part unless the test names others. */
export async function startPlatformInfo(options: TestPlatformInfoOptions = {}) {
  const routes = platformInfoRoutes(async () => chainFacts, { now: () => new Date() })
  const metrics = createMetrics()
  const http = await createTestHttp(routes, { metrics })
  const { timeLimitMs, metricsToken } = options
  registerPlatformInfo(http.app, {
    endpoints: routes.map((route) => route.endpoint),
    publicUrl: new URL('https://market.example'),
    securityContact: options.securityContact,
    health: {
      parts: options.parts ?? { database: http.db.ping },
      log: pino({ level: 'silent' }),
      ...(timeLimitMs !== undefined && { timeLimitMs }),
    },
    metrics: { metrics, metricsToken },
  })
  return http
}

export type StartedPlatformInfo = Awaited<ReturnType<typeof startPlatformInfo>>
