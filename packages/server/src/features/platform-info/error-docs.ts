import { type ErrorCode, errorCodes, errorTable } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { registerDocument } from '../../platform/http/document.ts'

const envelope = `{
  "error": {
    "code": "NOT_FOUND",
    "message": "There is no such resource, or it is not yours to see.",
    "details": {},
    "statusCode": 404,
    "timestamp": "2026-11-15T09:30:00.000Z",
    "requestId": "k3J9x0QmT7sW2bV5"
  }
}`

const intro = [
  'Every error has one envelope. Decide by `code`; `message` is for people and may change; `details` is always an object.',
  'Quote `requestId` (also in the `X-Request-Id` header) when you ask for help.',
]

/** Every error as Markdown, from the error table alone. `/docs/errors` shows the same to people. */
export function registerErrorDocs(app: FastifyInstance): void {
  registerDocument(app, {
    path: '/docs/errors.md',
    type: 'text/markdown; charset=utf-8',
    openToPages: true,
    make: renderErrorMarkdown,
  })
}

export function renderErrorMarkdown(): string {
  const overview = errorCodes.map((code) => `- [${code}](#${code.toLowerCase()}): ${errorTable[code].status}`)
  const sections = errorCodes.map((code) => {
    const { status, meaning, fix } = errorTable[code]
    return `## ${code}\n\nStatus ${status}. ${meaning}\n\n${fix}\n\n${retryAdvice(code)}`
  })
  return ['# Errors', ...intro, `\`\`\`json\n${envelope}\n\`\`\``, overview.join('\n'), ...sections]
    .join('\n\n')
    .concat('\n')
}

function retryAdvice(code: ErrorCode): string {
  return errorTable[code].retryable
    ? 'Repeating the call later can help.'
    : 'Repeating the call unchanged does not help.'
}
