import type { World } from '../../../testing/start-world.ts'
import type { WorldOwner } from '../../../testing/world/world-people.ts'
import { createClientRequests, REDIRECT, type Started } from './client-requests.ts'

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  expires_in: number
}

/** Clients ask and people decide, each by the calls that they really make. */
export function createOAuthCalls(world: Pick<World, 'http' | 'config'>) {
  const origin = world.config.publicUrl.origin
  const form = (url: string, fields: Record<string, string>) =>
    world.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })

  const { register, newClient, start } = createClientRequests(world.http, origin)
  const read = ({ id, cookie }: Started, { headers }: WorldOwner) =>
    world.http.inject({ url: `/api/oauth/requests/${id}`, headers: { ...headers, cookie } })
  const decide = ({ id, cookie }: Started, { headers }: Pick<WorldOwner, 'headers'>, decision: object = {}) =>
    world.http.inject({
      method: 'POST',
      url: `/api/oauth/requests/${id}/decision`,
      headers: { ...headers, cookie },
      payload: { decision: 'ALLOW', ...decision },
    })

  /** The browser goes on to where the client waits for it, which this returns. */
  async function goOn({ cookie }: Started, continueAt: string): Promise<URL> {
    const response = await world.http.inject({ url: continueAt, headers: { cookie } })
    return new URL(String(response.headers.location))
  }

  const exchange = ({ clientId, verifier }: Started, code: string, changes: Record<string, string> = {}) =>
    form('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      ...changes,
    })

  /** Until the client has its code. */
  async function allow(owner: WorldOwner, decision: object = {}, changes: Record<string, string> = {}) {
    const started = await start(changes)
    const decided = await decide(started, owner, decision)
    if (decided.statusCode !== 200) throw new Error(decided.body)
    const back = await goOn(started, decided.json().data.continueAt)
    return { started, back, code: back.searchParams.get('code') ?? '' }
  }

  /** The whole way: the tokens of a client that the owner has allowed. */
  async function connect(owner: WorldOwner, decision: object = {}, changes: Record<string, string> = {}) {
    const { started, code } = await allow(owner, decision, changes)
    const response = await exchange(started, code)
    if (response.statusCode !== 200) throw new Error(response.body)
    return { started, code, tokens: response.json() as Tokens }
  }

  return {
    origin,
    register,
    newClient,
    start,
    read,
    decide,
    goOn,
    exchange,
    allow,

    connect,

    /** The token of a client that may call the API. */
    connectToApi: async (owner: WorldOwner): Promise<string> =>
      (await connect(owner, {}, { resource: `${origin}/api` })).tokens.access_token,

    refresh: ({ clientId }: Started, refreshToken: string) =>
      form('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }),
    revokeToken: ({ clientId }: Started, token: string) =>
      form('/oauth/revoke', { client_id: clientId, token }),

    /** A tool that needs an account, called with this token. */
    callTool: (token: string | undefined, name = 'my_jobs', args: object = {}) =>
      world.http.inject({
        method: 'POST',
        url: '/mcp',
        headers: {
          accept: 'application/json, text/event-stream',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      }),
    listGrants: async ({ headers }: WorldOwner) =>
      (await world.http.inject({ url: '/api/oauth/grants', headers })).json().data,
  }
}
