import type { ToolScope } from '@agent-marketplace/mcp'
import { type Challenge, resourceMetadataUrl, writeChallenge } from '../../platform/http/challenge.ts'

/** Where it is served; tokens of OAuth are for this resource. */
export const MCP_PATH = '/mcp'

export interface ToolScopes {
  scopeOf(tool: string, args: unknown): ToolScope
  accountScopesOf(tool: string, args: unknown): readonly ToolScope[]
}

/** What a message needs to be allowed. */
export interface Needs {
  /** Undefined where it needs no account. */
  scope: ToolScope | undefined
  /** Of which a client that acts for an account needs any one. */
  accountScopes: readonly ToolScope[]
}

/** Held open for what the service may have to send. */
export const isStream = (method: string, message: unknown): boolean =>
  method === 'GET' || Object(message).method === 'subscriptions/listen'

export function needsOf(message: unknown, { scopeOf, accountScopesOf }: ToolScopes): Needs {
  const { method, params } = Object(message)
  const { name, arguments: args } = Object(params)
  if (method !== 'tools/call' || typeof name !== 'string') return { scope: undefined, accountScopes: [] }
  const scope = scopeOf(name, args)
  return { scope: scope === 'open' ? undefined : scope, accountScopes: accountScopesOf(name, args) }
}

/** A client that acts for an account also needs to read the results. */
export const scopesToAskFor = (scope: string | undefined, allowed: readonly string[] = []): string =>
  [...new Set(['read', ...allowed, ...(scope === undefined ? [] : [scope])])].join(' ')

/** The challenge of a 401 or 403: which token is needed, and where to learn how to get one. */
export const challengeFor = (publicUrl: URL, challenge: Omit<Challenge, 'resourceMetadata'>): string =>
  writeChallenge({ ...challenge, resourceMetadata: resourceMetadataUrl(publicUrl, MCP_PATH) })
