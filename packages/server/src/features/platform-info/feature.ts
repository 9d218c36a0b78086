import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { type Guide, readGuides } from './guides/read-guides.ts'
import { registerPlatformInfo } from './register.ts'
import { type ChainFacts, platformInfoRoutes } from './routes.ts'

/** Health, metrics, documents, and public facts about the service. */
export function defineFeature(deps: Ground): Feature<{ guides: () => readonly Guide[] }> {
  const { config, db, log, clock, chain, queue, drain } = deps
  const { publicUrl, securityContact, metricsToken } = config
  const parts = { database: db.ping, queue: queue.countDeadLetters, chain: chain.ping }
  let read: readonly Guide[] | undefined
  const guides = () => {
    read ??= readGuides(publicUrl)
    return read
  }
  return {
    api: { guides },
    routes: platformInfoRoutes(createFacts(deps), clock),
    httpHooks: [
      (http, { endpoints, metrics }) =>
        registerPlatformInfo(http, {
          endpoints,
          publicUrl,
          guides,
          securityContact,
          health: { log, parts, isStopping: drain.hasBegun },
          metrics: { metrics, metricsToken },
        }),
    ],
  }
}

function createFacts({ config, chain: { facts }, wallets, money: { roles } }: Ground) {
  const { isTee, statement } = wallets.custody
  const rpcUrl = config.chain === undefined ? new URL('/rpc', config.publicUrl).href : facts.publicRpcUrl
  const standing = {
    mode: config.mode,
    chain: { id: facts.chainId, name: facts.name, rpcUrl, explorerUrl: facts.explorerUrl },
    usdc: { address: facts.contracts.usdc, ...facts.usdc },
    spender: facts.spender,
    custody: { isTee, statement },
    wallets: {
      walletConnect: config.walletConnect ?? null,
      passkeyFactory: config.mode === 'sandbox' ? facts.passkeyFactory : null,
      onrampUrl: config.onrampUrl ?? null,
    },
  }
  return async (): Promise<ChainFacts> => {
    const [arbiter, treasury] = await Promise.all([roles.holderOf('arbiter'), roles.holderOf('treasury')])
    return { ...standing, contracts: { ...facts.contracts, arbiter, treasury } }
  }
}
