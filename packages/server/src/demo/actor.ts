import type { testWalletOf } from '@agent-marketplace/chain/devnet'
import type { FastifyInstance } from 'fastify'

export type Wallet = ReturnType<typeof testWalletOf>

/** Somebody who uses the service: a wallet, a session, and the same HTTP as everybody else. */
export interface Actor {
  wallet: Wallet
  get<Data>(path: string): Promise<Data>
  /** Returns `data`; throws with the service's own words when the call is refused. */
  post<Data>(path: string, body: object, headers?: Record<string, string>): Promise<Data>
  put<Data>(path: string, body: object): Promise<Data>
}

/** Signs the wallet in as any client does: nonce, signature, session. */
export async function signIn(http: FastifyInstance, wallet: Wallet): Promise<Actor> {
  const guest = createActor(http, wallet, {})
  const walletAddress = wallet.address
  const { nonce, message } = await guest.post<{ nonce: string; message: string }>('/api/auth/request-nonce', {
    walletAddress,
  })
  const signature = await wallet.signMessage({ message })
  const { token } = await guest.post<{ token: string }>('/api/auth/verify-signature', {
    walletAddress,
    nonce,
    signature,
  })
  return createActor(http, wallet, { authorization: `Bearer ${token}` })
}

function createActor(http: FastifyInstance, wallet: Wallet, credential: Record<string, string>): Actor {
  const send = async <Data>(
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Data> => {
    const response = await http.inject({
      method,
      url,
      headers: { ...credential, ...headers },
      ...(body ? { payload: body } : {}),
    })
    if (response.statusCode >= 300)
      throw new Error(`${method} ${url} returned ${response.statusCode}: ${response.body}`)
    return response.json<{ data: Data }>().data
  }
  return {
    wallet,
    get: (path) => send('GET', path),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body) => send('PUT', path, body),
  }
}
