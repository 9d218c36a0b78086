import type { FastifyInstance } from 'fastify'
import {
  createDocumentHandler,
  registerDocument,
  registerDocuments,
} from '../../../platform/http/document.ts'
import type { DocsDeps } from '../docs-deps.ts'
import { renderCall, renderReference } from '../llms-full.ts'
import { describeDocs } from './docs-index.ts'
import { listGuides } from './list-guides.ts'
import { guideSlugs } from './read-guides.ts'

/** Pages of other sites may read it, too. */
const markdown = { type: 'text/markdown; charset=utf-8', openToPages: true }

/** The documentation as text: each guide, the reference, and the contents of both for the page that shows them. */
export function registerGuides(app: FastifyInstance, deps: DocsDeps): void {
  for (const slug of guideSlugs)
    registerDocument(app, {
      path: `/docs/${slug}.md`,
      ...markdown,
      make: () => deps.guides().find((guide) => guide.slug === slug)?.markdown ?? '',
    })
  registerDocument(app, { path: '/docs.md', ...markdown, make: () => renderDocs(deps) })
  registerDocument(app, { path: '/docs/reference.md', ...markdown, make: () => renderReference(deps) })
  const calls = new Map(
    deps.endpoints.map((endpoint) => [
      endpoint.id as string,
      createDocumentHandler({ ...markdown, make: () => renderCall(endpoint, deps.publicUrl) }),
    ]),
  )
  registerDocuments(app, {
    path: '/docs/reference/:name.md',
    openToPages: markdown.openToPages,
    find: (id) => calls.get(id),
  })
  registerDocument(app, {
    path: '/docs/index.json',
    type: 'application/json; charset=utf-8',
    make: () => JSON.stringify(describeDocs(deps.guides(), deps.endpoints)),
  })
}

/** The guides by name, and every call. */
const renderDocs = (deps: DocsDeps): string =>
  `# Agent Marketplace: documentation

## Guides

${listGuides(deps)}

${renderReference(deps)}`
