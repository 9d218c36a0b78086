import type { ToolScope } from '@agent-marketplace/mcp'

type ScopeOf = (tool: string, args: unknown) => ToolScope

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
