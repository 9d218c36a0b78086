import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { PATIENCE_MS } from '../../packages/server/src/testing/patience.ts'
import { respondWith, startReceiver } from '../../packages/server/src/testing/processes/start-receiver.ts'

type Kept<Method extends 'clientInformation' | 'tokens' | 'discoveryState'> = Awaited<
  ReturnType<NonNullable<OAuthClientProvider[Method]>>
>

/** An app on somebody's computer: the official client, which keeps what it gets in memory and waits for the browser to come back. */
export async function startOAuthClient(mcpUrl: URL) {
  const receiver = await startReceiver()
  receiver.respondWith(respondWith(200, 'You may close this window.', { 'content-type': 'text/plain' }))
  const callback = receiver.url.replace('127.0.0.1', 'localhost')
  const kept: {
    client?: Kept<'clientInformation'>
    tokens?: Kept<'tokens'>
    discovery?: Kept<'discoveryState'>
    verifier: string
  } = { verifier: '' }
  const opened: URL[] = []
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'Desk Assistant', redirect_uris: [callback] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void opened.push(url),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery,
    invalidateCredentials: (what) => {
      if (what === 'all' || what === 'tokens') delete kept.tokens
    },
  }
  const transport = new StreamableHTTPClientTransport(mcpUrl, { authProvider: provider })
  const client = new Client({ name: 'desk-assistant', version: '1.0.0' })
  await client.connect(transport, { timeout: PATIENCE_MS })

  return {
    callback,
    call: (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args }, { timeout: PATIENCE_MS }),

    /** Calls what it may not call yet, and returns the page that it opens for its user. */
    async asksAt(name: string, args: Record<string, unknown> = {}): Promise<string> {
      const before = opened.length
      const refused = await client.callTool({ name, arguments: args }, { timeout: PATIENCE_MS }).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (!(refused instanceof UnauthorizedError)) throw new Error(`${name} was not refused: ${refused}`)
      return opened[before]?.href ?? ''
    },

    /** The browser has come back. */
    async finish(): Promise<void> {
      const came = receiver.received.map(({ path }) => new URL(path, callback).searchParams)
      const found = came.findLast((parameters) => parameters.has('code'))
      if (!found) throw new Error('the browser brought no code')
      await transport.finishAuth(found)
    },

    async close(): Promise<void> {
      await client.close()
      await receiver.close()
    },
  }
}
