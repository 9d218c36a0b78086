import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

export const REDIRECT = 'http://localhost:7777/callback'

/** What a client keeps of its request until it gets its code. */
export interface Started {
  clientId: string
  verifier: string
  status: number
  /** Where the browser is sent. */
  location: string
  /** The request that a person decides. */
  id: string
  /** Of the browser. */
  cookie: string
}

/** Clients that ask for access to the service at `origin`. */
export function createClientRequests(http: Pick<FastifyInstance, 'inject'>, origin: string) {
  async function register(metadata: object = {}) {
    return http.inject({
      method: 'POST',
      url: '/oauth/register',
      payload: { client_name: 'Ledger Assistant', redirect_uris: [REDIRECT], ...metadata },
    })
  }
  const newClient = async (): Promise<string> => (await register()).json().client_id

  /** The client sends a browser to us. */
  async function start(changes: Record<string, string | undefined> = {}): Promise<Started> {
    const clientId = changes.client_id ?? (await newClient())
    const verifier = randomBytes(32).toString('base64url')
    const wanted = {
      client_id: clientId,
      redirect_uri: REDIRECT,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read hire',
      state: 'abc',
      resource: `${origin}/mcp`,
      ...changes,
    }
    const named = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const response = await http.inject(`/oauth/authorize?${new URLSearchParams(named)}`)
    const location = String(response.headers.location ?? '')
    return {
      clientId,
      verifier,
      status: response.statusCode,
      location,
      id: location.split('/').at(-1) ?? '',
      cookie: response.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    }
  }

  return { register, newClient, start }
}
