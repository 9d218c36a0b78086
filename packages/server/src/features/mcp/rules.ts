import type { ToolScope } from '@agent-marketplace/mcp'

type ScopeOf = (tool: string, args: unknown) => ToolScope

interface Site {
  publicUrl: URL
  corsOrigins: readonly string[]
}

/** Pages of other sites may not use a visitor's way to this service. Programs send no Origin. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, site: Site): boolean {
  if (origin === undefined || origin === site.publicUrl.origin || site.corsOrigins.includes(origin))
    return true
  return host !== undefined && URL.parse(origin)?.host === host
}

/** What the messages of a body need to be allowed; undefined where they need no account. */
export function neededScope(body: unknown, scopeOf: ScopeOf): ToolScope | undefined {
  for (const message of [body].flat()) {
    const { method, params } = Object(message)
    const { name, arguments: args } = Object(params)
    if (method !== 'tools/call' || typeof name !== 'string') continue
    const scope = scopeOf(name, args)
    if (scope !== 'open') return scope
  }
  return undefined
}

/** The challenge of a 401 (RFC 6750). */
export function challengeFor(scope: string): string {
  return `Bearer error="invalid_token", scope="${scope}"`
}
