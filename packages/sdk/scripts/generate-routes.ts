import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allEndpoints } from '@agent-marketplace/contract'

export const routesPath = join(import.meta.dirname, '../src/generated/routes.ts')

/**
 * What the client must know of each endpoint while it runs, as a plain table. It is written down so that a web page
 * which uses the client does not carry the schemas of the whole contract; the types still come from there.
 */
export function writeRoutes(): string {
  const rows = allEndpoints.map(({ id, method, path, access, response }) => {
    const isRaw = response.kind === 'raw'
    return `  ${id}: { method: '${method}', path: '${path}', isPublic: ${access === 'public'}, isRaw: ${isRaw} },`
  })
  return `// Made from the contract by scripts/generate-routes.ts.
import type { EndpointId, Route } from '../endpoints.ts'

export const routes = {
${rows.join('\n')}
} as const satisfies Readonly<Record<EndpointId, Route>>
`
}

if (import.meta.main) writeFileSync(routesPath, writeRoutes())
