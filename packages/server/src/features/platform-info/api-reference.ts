import { type FastifyInstance, fastify } from 'fastify'
import { registerDocument } from '../../platform/http/document.ts'
import { pagePolicy } from '../../platform/http/security-headers.ts'
import { openApiDocuments } from './openapi.ts'

/** Everything that would make the page talk to another host is switched off, and its policy forbids the rest. */
const settings = {
  sources: openApiDocuments.map(({ path, title }, index) => ({ title, url: path, default: index === 0 })),
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference · Agent Marketplace</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>
      This page needs JavaScript. The same in plain files:
      <a href="/openapi.json">openapi.json</a>, <a href="/docs/errors">errors</a>, <a href="/llms.txt">llms.txt</a>.
    </noscript>
    <div id="reference"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/**
 * The reference page at `/docs`, served wholly from this process. It has no inline script, so its policy allows none;
 * styles are set by the bundle at run time and need to be allowed.
 */
export function registerApiReference(app: FastifyInstance): void {
  const script = 'text/javascript; charset=utf-8'
  registerDocument(app, {
    path: '/docs',
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': pagePolicy() },
    make: () => page,
  })
  registerDocument(app, {
    path: '/docs/start.js',
    type: script,
    make: () => `Scalar.createApiReference('#reference', ${JSON.stringify(settings)})\n`,
  })
  registerDocument(app, { path: '/docs/scalar.js', type: script, make: readScalarBundle })
}

/**
 * The package hands its browser bundle (4 MB) out only through its own Fastify plugin, beside a page with an inline
 * script. So the plugin is loaded when the page is first asked for, on an instance that never listens.
 */
async function readScalarBundle(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const carrier = fastify()
  await carrier.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await carrier.inject('/docs/js/scalar.js')
  await carrier.close()
  if (statusCode !== 200) throw new Error('The API reference package did not give its bundle')
  return body
}
