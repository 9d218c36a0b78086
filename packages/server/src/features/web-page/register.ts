import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { AgentDetail, Mode } from '@agent-marketplace/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type PageHosts, pagePolicy } from '../../platform/http/browsers/security-headers.ts'
import {
  createDocumentHandler,
  type Document,
  type DocumentHandler,
  registerDocument,
  registerDocuments,
} from '../../platform/http/document.ts'
import { describeAgent } from './agent-markdown.ts'
import { CARD_SIZE, cardPathOf, describeCard } from './card/card.ts'
import { cardOf, leastPriceOf } from './card/card-of.ts'
import { type DocsPage, registerDocsPages } from './docs-pages.ts'
import { type HeadWords, headOf, withMode, withoutFirstPage, writeHead } from './head.ts'
import type { Page } from './page.ts'
import { registerSellerPage, type SellerOf } from './seller-page.ts'
import { structuredDataOf } from './structured-data.ts'

const MARKDOWN_ENDING = '.md'

export interface WebPageDeps {
  /** The directory of the built page. */
  directory: string | undefined
  /** The page looks different in a sandbox, from its first paint on. */
  mode: Mode
  /** Other hosts that the page may talk to and show: a chain that is not this server's own, and what its wallets need. */
  hosts: PageHosts
  /** The public URL of this service, for links that leave the site. */
  publicUrl: URL
  docs: readonly DocsPage[]
  /** An agent's public data; throws where there is none. */
  agentOf: (walletAddress: string, mustShow: bigint | undefined) => Promise<AgentDetail>
  /** The same for a seller. */
  sellerOf: SellerOf
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** The page's own addresses. Its router reads them in the browser; the server returns the same document for each. */
const pagePaths = [
  '/',
  '/agents/:wallet/hire',
  '/compare',
  '/saved',
  '/jobs',
  '/jobs/:id',
  '/jobs/:id/receipt',
  '/spending',
  '/sell',
  '/sell/*',
  '/developers',
  '/developers/*',
  '/pricing',
  '/notifications',
  '/consent/:id',
  '/admin',
  '/admin/*',
  '/tx/:hash',
]

/** Serves the built web page from memory. Where it was not built, the bare address leads to the documentation instead. */
export function registerWebPage(app: FastifyInstance, deps: WebPageDeps): void {
  const { directory, hosts } = deps
  if (directory === undefined || !existsSync(join(directory, 'index.html'))) {
    app.get('/', (_request, reply) => reply.redirect('/docs', 302))
    registerDocsPages(app, deps.docs, undefined)
    registerAgentPage(app, deps, undefined)
    return
  }
  const built = withMode(readFileSync(join(directory, 'index.html'), 'utf8'), deps.mode)
  const index = withoutFirstPage(built)
  const page = {
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': pagePolicy(hosts) },
    make: () => index,
  }
  const withHead = (words: HeadWords) => ({
    ...page,
    make: () => writeHead(words.path === '/' ? built : index, words, deps.publicUrl),
  })
  // A broken link shows the not-found page in a browser; programs get the error envelope.
  const showNotFound = createDocumentHandler({ ...page, status: 404 })
  const sayNotFound: DocumentHandler = (request, reply) =>
    isNavigation(request) ? showNotFound(request, reply) : reply.callNotFound()
  registerFiles(app, directory, sayNotFound)
  for (const path of pagePaths) {
    const words = headOf[path]
    registerDocument(app, { path, ...(words ? withHead({ ...words, path }) : page) })
  }
  registerDocsPages(app, deps.docs, { withHead, sayNotFound })
  registerAgentPage(app, deps, { plain: page, withHead })
  registerSellerPage(app, deps.sellerOf, { plain: page, withHead })
  app.get('/*', sayNotFound)
}

const ASSETS = 'assets/'

function registerFiles(app: FastifyInstance, directory: string, sayNotFound: DocumentHandler): void {
  const assets = new Map<string, DocumentHandler>()
  for (const file of filesOf(directory)) {
    // Read now, so that a newer build in the same place cannot take away what this page still asks for.
    const bytes = readFileSync(join(directory, file))
    const type = types[extname(file)] ?? 'application/octet-stream'
    const document: Omit<Document, 'path'> = { type, make: () => bytes }
    // The builder puts a hash of the content into these names.
    if (file.startsWith(ASSETS))
      assets.set(file.slice(ASSETS.length), createDocumentHandler({ ...document, isImmutable: true }))
    else registerDocument(app, { ...document, path: `/${file}` })
  }
  registerDocuments(app, { path: `/${ASSETS}:name`, find: (name) => assets.get(name), sayNotFound })
}

/** Agents change, so their pages are written for each visit: the page where it was built, and its Markdown always. */
function registerAgentPage(app: FastifyInstance, deps: WebPageDeps, page: Page | undefined): void {
  const { publicUrl, agentOf } = deps

  const headFor = async (wallet: string, mustShow: bigint | undefined): Promise<HeadWords | undefined> => {
    const agent = await agentOf(wallet, mustShow).catch(() => undefined)
    if (!agent) return undefined
    const path = `/agents/${agent.walletAddress}`
    const price = leastPriceOf(agent)
    const words = { title: agent.name, description: agent.description, path, ...(price && { price }) }
    if (!agent.listing.visible) return words
    const image = { path: cardPathOf(agent.walletAddress), ...CARD_SIZE, alt: describeCard(cardOf(agent)) }
    return { ...words, image, markdownPath: `${path}.md`, structuredData: structuredDataOf(agent, publicUrl) }
  }

  app.get<{ Params: { wallet: string } }>(
    '/agents/:wallet',
    { config: { openToPages: true } },
    async (request, reply) => {
      const { wallet } = request.params
      const { mustShow } = request.facts
      if (wallet.endsWith(MARKDOWN_ENDING)) {
        const agent = await agentOf(wallet.slice(0, -MARKDOWN_ENDING.length), mustShow)
        const text = describeAgent(agent, publicUrl)
        const serve = createDocumentHandler({ type: 'text/markdown; charset=utf-8', make: () => text })
        return serve(request, reply)
      }
      const { accept = '' } = request.headers
      if (accept.includes('text/markdown') && !accept.includes('text/html'))
        return reply
          .header('Vary', 'Accept')
          .redirect(`/agents/${encodeURIComponent(wallet)}${MARKDOWN_ENDING}`, 302)
      if (!page) return reply.callNotFound()
      const words = await headFor(wallet, mustShow)
      const document = words ? page.withHead(words) : page.plain
      const headers = { ...document.headers, Vary: 'Accept, Accept-Encoding' }
      return createDocumentHandler({ ...document, headers })(request, reply)
    },
  )
}

function isNavigation({ url, headers }: FastifyRequest): boolean {
  return !url.startsWith('/api') && (headers.accept ?? '').includes('text/html')
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'index.html' && !entry.name.startsWith('.'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll(sep, '/'),
    )
}
