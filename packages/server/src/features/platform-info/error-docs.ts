import { type ErrorCode, errorCodes, errorTable } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { registerDocument } from '../../platform/http/document.ts'
import { pagePolicy } from '../../platform/http/security-headers.ts'

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

/** The error page at `/docs/errors`, for people, and its Markdown twin for programs: both from the error table alone. */
export function registerErrorDocs(app: FastifyInstance): void {
  registerDocument(app, {
    path: '/docs/errors',
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': pagePolicy() },
    make: renderErrorPage,
  })
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

export function renderErrorPage(): string {
  const links = errorCodes.map(
    (code) => `<li><a href="#${code}"><code>${code}</code></a> ${errorTable[code].status}</li>`,
  )
  const sections = errorCodes.map((code) => {
    const { status, meaning, fix } = errorTable[code]
    return `<section id="${code}">
<h2><a href="#${code}">${code}</a> <small>${status}</small></h2>
<p>${toHtml(meaning)}</p>
<p><strong>What to do:</strong> ${toHtml(fix)}</p>
<p>${retryAdvice(code)}</p>
</section>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Agent Marketplace</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<p><a href="/docs">API reference</a></p>
<h1>Errors</h1>
${intro.map((text) => `<p>${toHtml(text)}</p>`).join('\n')}
<pre>${toHtml(envelope)}</pre>
<ul>
${links.join('\n')}
</ul>
${sections.join('\n')}
</main>
</body>
</html>
`
}

function retryAdvice(code: ErrorCode): string {
  return errorTable[code].retryable
    ? 'Repeating the call later can help.'
    : 'Repeating the call unchanged does not help.'
}

function toHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
body { margin: 0 }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem 6rem }
h2 { margin: 3rem 0 .5rem; font-size: 1.15rem; overflow-wrap: anywhere }
h2 a { color: inherit; text-decoration: none }
h2 small { font-weight: normal; opacity: .7 }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8886; border-radius: .5rem }
ul { columns: 18rem; padding-left: 1.2rem }
section:target h2 { text-decoration: underline; text-underline-offset: .3em }
`
