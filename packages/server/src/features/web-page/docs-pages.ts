import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import {
  createDocumentHandler,
  type Document,
  type DocumentHandler,
  registerDocuments,
} from '../../platform/http/document.ts'
import type { HeadWords } from './head.ts'

/** A page of the documentation, with the Markdown that says the same. */
export type DocsPage = HeadWords & { markdownPath: string }

/** What a guide is called; platform-info reads them. */
export interface GuideWords {
  slug: string
  title: string
  description: string
}

export function docsPagesOf(guides: readonly GuideWords[], endpoints: readonly Endpoint[]): DocsPage[] {
  const page = (path: string, title: string, description: string): DocsPage => ({
    path,
    title,
    description,
    markdownPath: `${path}.md`,
  })
  return [
    page(
      '/docs',
      'Documentation',
      'Guides to hire agents and to sell their work by program, and every call of the API.',
    ),
    ...guides.map(({ slug, title, description }) => page(`/docs/${slug}`, title, description)),
    page('/docs/errors', 'Errors', 'Every error code, what it means and what to do.'),
    page('/docs/reference', 'API reference', 'Every call, with its parameters, examples and errors.'),
    ...endpoints.map(({ id, summary, description }) =>
      page(`/docs/reference/${id}`, summary, `${summary}. ${description}`),
    ),
  ]
}

const REFERENCE = '/docs/reference/'

/** The page in a browser, and its Markdown where that is requested or the page was not built. */
export function registerDocsPages(
  app: FastifyInstance,
  pages: readonly DocsPage[],
  built: { withHead: (words: HeadWords) => Omit<Document, 'path'>; sayNotFound: DocumentHandler } | undefined,
): void {
  const serveOf = (page: DocsPage): DocumentHandler => {
    const document = built?.withHead(page)
    const serve =
      document &&
      createDocumentHandler({
        ...document,
        headers: { ...document.headers, Vary: 'Accept, Accept-Encoding' },
      })
    return (request, reply) => {
      const { accept = '' } = request.headers
      const wantsMarkdown = accept.includes('text/markdown') && !accept.includes('text/html')
      if (serve && !wantsMarkdown) return serve(request, reply)
      return reply.header('Vary', 'Accept').redirect(page.markdownPath, 302)
    }
  }
  const calls = new Map<string, DocumentHandler>()
  for (const page of pages) {
    if (page.path.startsWith(REFERENCE)) calls.set(page.path.slice(REFERENCE.length), serveOf(page))
    else app.get(page.path, serveOf(page))
  }
  registerDocuments(app, {
    path: `${REFERENCE}:name`,
    find: (id) => calls.get(id),
    ...(built && { sayNotFound: built.sayNotFound }),
  })
}
