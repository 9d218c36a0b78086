import type { AgentDetail } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { createCardDrawing } from './card/card-drawing.ts'
import { registerCard } from './card/register-card.ts'
import { docsPagesOf, type GuideWords } from './docs-pages.ts'
import { pageHostsOf } from './page-hosts.ts'
import { registerWebPage, type WebPageDeps } from './register.ts'
import { registerSitemap, type SitemapDeps } from './sitemap.ts'

interface AgentPages {
  detailOf: (wallet: string, viewer: undefined) => Promise<{ detail: AgentDetail }>
  listedWallets: SitemapDeps['listedWallets']
}

interface Deps extends Ground {
  agents: {
    pages: <T>(mustShow: bigint | undefined, read: (pages: AgentPages) => Promise<T>) => Promise<T>
  }
  sellers: Pick<WebPageDeps, 'sellerOf'>
  guides: () => readonly GuideWords[]
}

export function defineFeature({
  config,
  chain,
  webDirectory: directory,
  wallClock,
  limiter,
  agents,
  sellers: { sellerOf },
  guides,
}: Deps): Feature<undefined> {
  const hosts = pageHostsOf(config, chain.facts.publicRpcUrl)
  const agentOf = (wallet: string, mustShow: bigint | undefined) =>
    agents.pages(mustShow, async ({ detailOf }) => (await detailOf(wallet, undefined)).detail)
  const listedWallets = (digits: string, limit: number) =>
    agents.pages(undefined, (pages) => pages.listedWallets(digits, limit))
  const { mode, publicUrl, rateLimitsEnforced } = config
  const drawing = createCardDrawing()
  return {
    api: undefined,
    httpHooks: [
      (http, { endpoints }) => {
        const docs = docsPagesOf(guides(), endpoints)
        const docsPaths = docs.map(({ path }) => path)
        registerSitemap(http, { publicUrl, wallClock, docsPaths, listedWallets })
        registerCard(http, { agentOf, drawing, limiter, rateLimitsEnforced })
        registerWebPage(http, { directory, mode, hosts, publicUrl, docs, agentOf, sellerOf })
      },
    ],
    close: drawing.close,
  }
}
