import { AppError } from '@agent-marketplace/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOwnOrigin, type Site } from '../../platform/http/browsers/cross-origin.ts'
import { readCredential } from '../../platform/http/credential.ts'
import { parseJsonBody } from '../../platform/http/forms/json-body.ts'
import type { Log } from '../../platform/log/log.ts'
import { challengeFor, isStream, MCP_PATH, type Needs, needsOf, scopesToAskFor } from './rules.ts'

export interface McpDeps extends Site {
  log: Log
  endOfWaits: AbortSignal
}

type Endpoint = Awaited<ReturnType<typeof loadEndpoint>>

async function loadEndpoint(http: FastifyInstance, deps: McpDeps) {
  const { createMcpEndpoint } = await import('./endpoint.ts')
  return createMcpEndpoint({ http, ...deps })
}

/** Serves the Model Context Protocol at /mcp. The protocol's library is loaded by the first call, so that no start waits for it. */
export function registerMcp(http: FastifyInstance, deps: McpDeps): void {
  let loading: Promise<Endpoint> | undefined

  http.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    async handler(request, reply) {
      // The specification requires it. Pages of other sites may not use a visitor's access to this service.
      if (!isOwnOrigin(request.headers, deps))
        throw new AppError('FORBIDDEN', { message: 'Pages of other sites may not call this.' })
      const body = request.facts.rawBody && parseJsonBody(request.facts.rawBody)
      if (Array.isArray(body))
        throw new AppError('VALIDATION_ERROR', {
          message: 'Send one message at a time: batches are not served.',
        })
      loading ??= loadEndpoint(http, deps)
      const { serve, toolScopes } = await loading
      const token = tokenOf(request, reply, needsOf(body, toolScopes))
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      reply.header('X-Accel-Buffering', 'no').header('Cache-Control', 'no-store')
      const { clientAddress } = request.facts
      // Nothing comes to an end of a stream by itself. Tools stop waiting, and their calls are finished.
      const signal = isStream(request.method, body)
        ? AbortSignal.any([gone.signal, deps.endOfWaits])
        : gone.signal
      return serve(requestOf(request, signal), { clientAddress, token }, body)
    },
  })

  http.addHook('preClose', async () => (await loading)?.close())

  /** Cookies do not count: a page's session is not for programs. */
  function tokenOf(
    request: FastifyRequest,
    reply: FastifyReply,
    { scope, accountScopes }: Needs,
  ): string | undefined {
    const credential = readCredential(request)
    const token = credential?.kind === 'bearer' ? credential.token : undefined
    const { principal } = request.facts
    const isGood = token === undefined ? scope === undefined : principal !== undefined
    if (!isGood) {
      challenge(reply, {
        error: token === undefined ? undefined : 'invalid_token',
        scope: scopesToAskFor(scope),
      })
      throw new AppError('UNAUTHORIZED', {
        message:
          'This needs an account: connect by OAuth, or send an API key as the Bearer token. Searching, and hiring with an x402 wallet, need none.',
      })
    }
    const { clientId, scopes = [] } = principal ?? {}
    const isCovered =
      accountScopes.length === 0 || accountScopes.some((one) => scopes.some((has) => has === one))
    if (clientId !== undefined && !isCovered) {
      const [needed] = accountScopes
      challenge(reply, { error: 'insufficient_scope', scope: scopesToAskFor(needed, scopes) })
      throw new AppError('FORBIDDEN', { message: `This needs the scope ${needed}, which was not allowed.` })
    }
    return token
  }

  function challenge(reply: FastifyReply, needed: Parameters<typeof challengeFor>[1]): void {
    reply.header('WWW-Authenticate', challengeFor(deps.publicUrl, needed))
  }

  function requestOf({ method, headers, facts }: FastifyRequest, signal: AbortSignal): Request {
    const sent = new Headers()
    for (const [name, values] of Object.entries(headers))
      for (const value of [values ?? []].flat()) sent.append(name, value)
    const { rawBody } = facts
    return new Request(new URL(MCP_PATH, deps.publicUrl), {
      method,
      headers: sent,
      signal,
      ...(rawBody && { body: new Uint8Array(rawBody) }),
    })
  }
}
