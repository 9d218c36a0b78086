import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { registerPlatformInfo } from '../features/platform-info/register.ts'
import { registerSandboxRpc } from '../features/sandbox/chain-routes.ts'
import { registerSandboxKycPage } from '../features/sandbox/kyc-page-routes.ts'
import { registerWebPage } from '../features/web-page/register.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { ChainPort } from '../ports/chain/port.ts'
import type { AppDeps } from './deps.ts'
import type { Services } from './services.ts'

/** What is no call of the contract: health, metrics, documents, the web page, and the sandbox's own pages. */
export function registerPages(
  http: FastifyInstance,
  deps: AppDeps,
  services: Services,
  { endpoints, metrics }: { endpoints: readonly Endpoint[]; metrics: Metrics },
): void {
  const { config, db, log, chain } = deps
  const { publicUrl } = config
  const { agents, queue, owners, streams } = services
  registerPlatformInfo(http, {
    endpoints,
    publicUrl,
    securityContact: config.securityContact,
    health: { log, parts: { database: db.ping, queue: queue.countDeadLetters, chain: chain.ping } },
    metrics: { metrics, metricsToken: config.metricsToken },
  })
  registerWebPage(http, {
    directory: deps.webDirectory,
    connectTo: rpcOrigins(config, chain),
    publicUrl,
    describeAgent: async (wallet) => (await agents.detailOf(wallet, undefined)).row,
  })
  if (deps.sandbox?.chain) {
    const { limiter } = deps
    const { rateLimitsEnforced } = config
    registerSandboxRpc(http, { chain: deps.sandbox.chain, limiter, rateLimitsEnforced })
  }
  if (deps.sandbox?.kyc) {
    registerSandboxKycPage(http, {
      findApplicant: owners.findKycApplicant,
      messageOf: deps.sandbox.kyc.messageOf,
      receiveWebhook: owners.receiveKycWebhook,
    })
  }
  http.addHook('preClose', () => streams.close())
}

/** The page follows transactions on the chain itself; in the sandbox that is this server. */
function rpcOrigins(config: Config, { facts }: ChainPort): string[] {
  return config.chain === undefined ? [] : [new URL(facts.publicRpcUrl).origin]
}
