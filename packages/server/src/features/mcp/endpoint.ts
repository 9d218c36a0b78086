import { AppError } from '@agent-marketplace/contract'
import { accountScopesOf, createMarketplaceServer, type Market, scopeOf, sleep } from '@agent-marketplace/mcp'
import { createMarketplaceClient } from '@agent-marketplace/sdk'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../../platform/log/log.ts'
import { createInnerFetch } from './inner-fetch.ts'

/** The caller, as the pipeline has identified them. */
export interface McpCaller {
  clientAddress: string
  /** The Bearer token, checked already. */
  token: string | undefined
}

interface EndpointDeps {
  http: FastifyInstance
  publicUrl: URL
  log: Log
  endOfWaits: AbortSignal
}

/** The protocol has servers keep such streams open, each on a connection of its own. Nothing of ours is ever sent on one. */
const MAX_SUBSCRIPTIONS = 100

/** One try: the caller repeats what fails, and knows best whether that makes sense. */
const ONCE = { attempts: 1 }

/** The protocol in both of its eras, without sessions: each request gets a server of its own, for its caller. */
export function createMcpEndpoint({ http, publicUrl, log, endOfWaits }: EndpointDeps) {
  const callers = new WeakMap<Request, McpCaller>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo)
      if (!caller) throw new Error('an MCP request came without its caller')
      return createMarketplaceServer(marketOf(caller))
    },
    {
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror: (error) => log.debug({ err: error }, 'MCP request rejected'),
    },
  )

  function marketOf({ clientAddress, token }: McpCaller): Market {
    const innerFetch = createInnerFetch(http, { publicUrl, clientAddress })
    const connect = (apiKey?: string) =>
      createMarketplaceClient({ baseUrl: publicUrl.href, fetch: innerFetch, apiKey, retry: ONCE })
    return {
      client: connect(token),
      hasAccount: token !== undefined,
      withToken: connect,
      publicUrl,
      async readText(path) {
        const response = await innerFetch(new URL(path, publicUrl))
        if (!response.ok) throw new AppError('NOT_FOUND')
        return response.text()
      },
      // A tool that waits looks on without pauses then, until its time is over.
      sleep: async (durationMs, signal) => {
        if (endOfWaits.aborted) return
        await sleep(durationMs, AbortSignal.any([signal, endOfWaits])).catch((error) => {
          if (!endOfWaits.aborted) throw error
        })
      },
    }
  }

  return {
    serve(request: Request, caller: McpCaller, parsedBody: unknown): Promise<Response> {
      callers.set(request, caller)
      return handler.fetch(request, parsedBody === undefined ? {} : { parsedBody })
    },
    toolScopes: { scopeOf, accountScopesOf },
    close: handler.close,
  }
}
