import type { AgentDetail } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { registerWebPage } from './register.ts'
import { registerSitemap, type SitemapDeps } from './sitemap.ts'

interface Deps extends Ground {
  agents: {
    detailOf: (wallet: string, viewer: undefined) => Promise<{ detail: AgentDetail }>
    listedWallets: SitemapDeps['listedWallets']
  }
}

export function defineFeature({
  config,
  chain,
  webDirectory: directory,
  wallClock,
  agents,
}: Deps): Feature<undefined> {
  // The page follows transactions on the chain itself; in the sandbox that is this server.
  const connectTo = config.chain === undefined ? [] : [new URL(chain.facts.publicRpcUrl).origin]
  const agentOf = async (wallet: string) => (await agents.detailOf(wallet, undefined)).detail
  const { publicUrl } = config
  return {
    api: undefined,
    httpHooks: [
      (http) => registerSitemap(http, { publicUrl, wallClock, listedWallets: agents.listedWallets }),
      (http) => registerWebPage(http, { directory, connectTo, publicUrl, agentOf }),
    ],
  }
}
