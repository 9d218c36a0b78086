import { escrowRail } from '@agent-marketplace/contract'
import { adminRoutes } from '../features/admin/routes.ts'
import { listPaidServices } from '../features/agents/reading/paid-services.ts'
import { agentsRoutes } from '../features/agents/routes.ts'
import { apiKeysRoutes } from '../features/api-keys/routes.ts'
import { authRoutes } from '../features/auth/routes.ts'
import { earningsRoutes } from '../features/earnings/routes.ts'
import { facilitatorRoutes } from '../features/facilitator/routes.ts'
import { filesRoutes } from '../features/files/routes.ts'
import { isSharedByJob } from '../features/jobs/reading/file-access.ts'
import { jobsRoutes } from '../features/jobs/routes.ts'
import { kycFeeRoutes } from '../features/kyc-fee/routes.ts'
import { notificationsRoutes } from '../features/notifications/routes.ts'
import { ownersRoutes } from '../features/owners/routes.ts'
import { platformInfoRoutes } from '../features/platform-info/routes.ts'
import { logRoutes } from '../features/reported-payments/routes.ts'
import { reputationRoutes } from '../features/reputation/routes.ts'
import { sandboxChainRoutes } from '../features/sandbox/chain-routes.ts'
import { sandboxKycRoutes } from '../features/sandbox/kyc-routes.ts'
import { sandboxResetRoutes } from '../features/sandbox/reset-routes.ts'
import { subscriptionsRoutes } from '../features/subscriptions/routes.ts'
import { webhooksRoutes } from '../features/webhooks/routes.ts'
import { withdrawalsRoutes } from '../features/withdrawals/routes.ts'
import type { Route } from '../platform/http/call.ts'
import type { AppDeps } from './deps.ts'
import { createSandboxClock } from './sandbox-clock.ts'
import type { Services } from './services.ts'

/** Everything that can be called, in the order of the docs. */
export function composeRoutes(deps: AppDeps, services: Services): Route[] {
  const { config, db, clock, chain } = deps
  const {
    storage,
    sessions,
    notifications,
    webhooks,
    notify,
    streams,
    owners,
    auth,
    money,
    agents,
    x402,
    facilitator,
    logs,
    withdrawals,
    earnings,
    subscriptions,
    apiKeys,
    jobs,
    reputation,
    admin,
  } = services
  const travel = createSandboxClock(deps, services)
  return [
    ...authRoutes({ auth, forgetOwner: sessions.forgetOwner, secureCookies: config.mode === 'production' }),
    ...ownersRoutes({ owners }),
    ...kycFeeRoutes({
      db,
      paidCalls: x402.paidCalls,
      registerPurpose: x402.payments.register,
      treasury: () => money.roles.holderOf('treasury'),
      ownerOf: async (queryable, ownerId) => (await owners.accounts.find(queryable, ownerId)).owner,
      markFeePaid: (tx, ownerId, feePaid) => owners.setKyc(tx, ownerId, { feePaid }),
      notify,
    }),
    ...subscriptionsRoutes({ subscriptions }),
    ...apiKeysRoutes({ apiKeys }),
    ...earningsRoutes({ earnings }),
    ...withdrawalsRoutes({ withdrawals }),
    ...agentsRoutes({ agents }),
    ...reputationRoutes({ reputation }),
    ...jobsRoutes({
      jobs,
      chain,
      requirePayment: x402.paidCalls.requirePayment,
      offerFor: x402.offerFor,
    }),
    ...logRoutes({ logs }),
    ...facilitatorRoutes({
      facilitator,
      listPaidResources: createPaidResources(deps, services),
    }),
    ...filesRoutes({ db, clock, storage, isSharedWith: isSharedByJob }),
    ...notificationsRoutes({ notifications, streams }),
    ...webhooksRoutes({ webhooks }),
    ...platformInfoRoutes(createPublicFacts(deps, services), clock),
    ...adminRoutes({ admin }),
    ...(deps.sandbox ? sandboxKycRoutes({ setKyc: owners.setKyc }) : []),
    ...(deps.sandbox?.chain && travel
      ? sandboxChainRoutes({
          chain: deps.sandbox.chain,
          checksumAddress: chain.checksumAddress,
          wallClock: deps.wallClock,
          travel,
        })
      : []),
    ...(deps.sandbox?.reset ? sandboxResetRoutes({ reset: deps.sandbox.reset }) : []),
  ]
}

/** What agents sell below the escrow's threshold, as x402 resources. */
function createPaidResources({ db, config: { publicUrl } }: AppDeps, { x402 }: Services) {
  return async (page: { limit: number; offset: number }) => {
    const { services, total } = await listPaidServices(db, { ...page, belowMicro: escrowRail.fromMicro })
    const resources = services.map((service) => ({
      url: new URL('/api/jobs', publicUrl).href,
      description: `Hire ${service.agentName} for “${service.serviceName}”. Send agentId ${service.agentId}.`,
      serviceName: service.serviceName,
      tags: [service.category, ...service.skills],
      offer: x402.offerFor({ payTo: service.walletAddress, amountMicro: service.priceMicro }),
      updatedAt: service.createdAt,
    }))
    return { resources, total }
  }
}

function createPublicFacts({ config, chain: { facts }, wallets }: AppDeps, { money: { roles } }: Services) {
  const { isTee, statement } = wallets.custody
  const rpcUrl = config.chain === undefined ? new URL('/rpc', config.publicUrl).href : facts.publicRpcUrl
  const standing = {
    mode: config.mode,
    chain: { id: facts.chainId, name: facts.name, rpcUrl, explorerUrl: facts.explorerUrl },
    usdc: { address: facts.contracts.usdc, ...facts.usdc },
    spender: facts.spender,
    custody: { isTee, statement },
  }
  return async () => {
    const [arbiter, treasury] = await Promise.all([roles.holderOf('arbiter'), roles.holderOf('treasury')])
    return { ...standing, contracts: { ...facts.contracts, arbiter, treasury } }
  }
}
