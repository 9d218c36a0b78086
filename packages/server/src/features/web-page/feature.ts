import type { AgentDetail } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { createCardDrawing } from './card/card-drawing.ts'
import { registerCard } from './card/register-card.ts'
import { docsPagesOf, type GuideWords } from './docs-pages.ts'
import { pageHostsOf } from './page-hosts.ts'
import { registerWebPage } from './register.ts'
import { registerSitemap, type SitemapDeps } from './sitemap.ts'

interface Deps extends Ground {
  agents: {
    detailOf: (wallet: string, viewer: undefined) => Promise<{ detail: AgentDetail }>
    listedWallets: SitemapDeps['listedWallets']
  }
  guides: () => readonly GuideWords[]
}

export function defineFeature({
  config,
  chain,
  webDirectory: directory,
  wallClock,
  limiter,
  agents,
  guides,
}: Deps): Feature<undefined> {
  const hosts = pageHostsOf(config, chain.facts.publicRpcUrl)
  const agentOf = async (wallet: string) => (await agents.detailOf(wallet, undefined)).detail
  const { mode, publicUrl, rateLimitsEnforced } = config
  const drawing = createCardDrawing()
  return {
    api: undefined,
    httpHooks: [
      (http, { endpoints }) => {
        const docs = docsPagesOf(guides(), endpoints)
        const docsPaths = docs.map(({ path }) => path)
        registerSitemap(http, { publicUrl, wallClock, docsPaths, listedWallets: agents.listedWallets })
        registerCard(http, { agentOf, drawing, limiter, rateLimitsEnforced })
        registerWebPage(http, { directory, mode, hosts, publicUrl, docs, agentOf })
      },
    ],
    close: drawing.close,
  }
}
