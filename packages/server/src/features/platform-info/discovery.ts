import type { FastifyInstance } from 'fastify'
import { registerDocument } from '../../platform/http/document.ts'
import type { DocsDeps } from './docs-deps.ts'
import { renderLlmsFullText } from './llms-full.ts'
import { renderLlmsText } from './llms-text.ts'

/** How programs find their way: `/llms.txt` for language models. */
export function registerDiscovery(app: FastifyInstance, deps: DocsDeps): void {
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
}
