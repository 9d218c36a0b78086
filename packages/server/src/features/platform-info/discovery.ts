import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { registerDocument } from '../../platform/http/document.ts'
import { renderLlmsFullText, renderReference } from './llms-full.ts'
import { renderLlmsText } from './llms-text.ts'

export interface DiscoveryDeps {
  /** The endpoints that are mounted: nothing is announced that cannot be called. */
  endpoints: readonly Endpoint[]
  publicUrl: URL
}

/** How programs find their way: `/llms.txt` for language models. */
export function registerDiscovery(app: FastifyInstance, deps: DiscoveryDeps): void {
  registerDocument(app, {
    path: '/llms.txt',
    type: 'text/plain; charset=utf-8',
    openToPages: true,
    make: () => renderLlmsText(deps),
  })
  registerDocument(app, {
    path: '/llms-full.txt',
    type: 'text/plain; charset=utf-8',
    openToPages: true,
    make: () => renderLlmsFullText(deps),
  })
  registerDocument(app, {
    path: '/docs.md',
    type: 'text/markdown; charset=utf-8',
    openToPages: true,
    make: () => renderReference(deps),
  })
}
