import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../platform/clock/clock.ts'
import {
  createDocumentHandler,
  type DocumentHandler,
  registerDocument,
} from '../../platform/http/document.ts'
import { escapeHtml } from '../../platform/text/html.ts'

/** What one sitemap may hold, by its protocol. */
const MAX_URLS = 50_000
/** As other pages that everyone reads. */
const KEPT_MS = 1_000
const XML = 'application/xml; charset=utf-8'
const publicPaths = ['/', '/pricing', '/developers', '/llms.txt']

/** A market with more agents than one sitemap holds has one for each first byte of their wallets, which are random. */
const parts = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export interface SitemapDeps {
  publicUrl: URL
  wallClock: Clock
  /** The pages of the documentation. */
  docsPaths: readonly string[]
  /** Wallets of agents that lists show, those that begin with these hex digits. */
  listedWallets: (digits: string, limit: number) => Promise<string[]>
}

/** What search engines may read, and where it is. The first sitemap is kept for a second; a part is one range of an index. */
export function registerSitemap(
  app: FastifyInstance,
  { publicUrl, wallClock, docsPaths, listedWallets }: SitemapDeps,
): void {
  const urlOf = (path: string): string => new URL(path, publicUrl).href
  const agentsUrl = urlOf('/agents/')
  const agentUrls = (wallets: readonly string[]) => wallets.map((wallet) => `${agentsUrl}${wallet}`)

  registerDocument(app, {
    path: '/robots.txt',
    type: 'text/plain; charset=utf-8',
    make: () => renderRobots(urlOf('/sitemap.xml')),
  })

  const makeFirst = async (): Promise<string> => {
    const pages = [...publicPaths, ...docsPaths].map(urlOf)
    const wallets = await listedWallets('', MAX_URLS - pages.length + 1)
    if (pages.length + wallets.length <= MAX_URLS) return renderUrls([...pages, ...agentUrls(wallets)])
    return renderIndex(parts.map((digits) => urlOf(`/sitemaps/agents-${digits}.xml`)))
  }
  let kept: { serve: DocumentHandler; madeAtMs: number } | undefined
  app.get('/sitemap.xml', (request, reply) => {
    const nowMs = wallClock.now().getTime()
    const ageMs = nowMs - (kept?.madeAtMs ?? Number.NEGATIVE_INFINITY)
    // A clock that was put back says nothing about its age. Those who ask at the same time share one, also where it fails.
    if (kept === undefined || ageMs < 0 || ageMs >= KEPT_MS)
      kept = { serve: createDocumentHandler({ type: XML, make: makeFirst }), madeAtMs: nowMs }
    return kept.serve(request, reply)
  })

  app.get<{ Params: { name: string } }>('/sitemaps/:name', async (request, reply) => {
    const digits = /^agents-([0-9a-f]{2})\.xml$/.exec(request.params.name)?.[1]
    if (digits === undefined) return reply.callNotFound()
    const made = renderUrls(agentUrls(await listedWallets(digits, MAX_URLS)))
    return createDocumentHandler({ type: XML, make: () => made })(request, reply)
  })
}

const renderRobots = (sitemap: string): string => `User-agent: *
Allow: /api/agents/
Disallow: /api/
Disallow: /admin
Disallow: /compare
Disallow: /jobs
Disallow: /notifications
Disallow: /sandbox/
Disallow: /saved
Disallow: /spending

Sitemap: ${sitemap}
`

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

const renderUrls = (urls: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespace}>\n${urls.map((url) => `<url><loc>${escapeHtml(url)}</loc></url>\n`).join('')}</urlset>\n`

const renderIndex = (urls: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${namespace}>\n${urls.map((url) => `<sitemap><loc>${escapeHtml(url)}</loc></sitemap>\n`).join('')}</sitemapindex>\n`
