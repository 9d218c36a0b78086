import type { LightMyRequestResponse } from 'fastify'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export interface SentRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  payload?: string | Buffer | object
}

export type Received = Pick<LightMyRequestResponse, 'statusCode' | 'body' | 'json'> & {
  headers: Record<string, unknown>
}

/** An app in this process, or a service that is reached over the network. */
export interface TestClient {
  inject(request: SentRequest): Promise<Received>
}

export interface SignedInOwner {
  wallet: PrivateKeyAccount
  ownerId: string
  token: string
  csrfToken: string
  cookie: string
  /** Headers of an API client. */
  bearer: { authorization: string }
}

export function newWallet(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey())
}

/** Signs a wallet in the way a client does: nonce, signature, session. */
export async function signIn(http: TestClient, wallet = newWallet()): Promise<SignedInOwner> {
  const nonceResponse = await http.inject({
    method: 'POST',
    url: '/api/auth/request-nonce',
    payload: { walletAddress: wallet.address },
  })
  const { nonce, message } = nonceResponse.json().data
  const response = await http.inject({
    method: 'POST',
    url: '/api/auth/verify-signature',
    payload: { walletAddress: wallet.address, nonce, signature: await wallet.signMessage({ message }) },
  })
  if (response.statusCode !== 200)
    throw new Error(`sign-in returned ${response.statusCode}: ${response.body}`)
  const { owner, csrfToken, data } = response.json()
  return {
    wallet,
    ownerId: owner.id,
    token: data.token,
    csrfToken,
    cookie: `token=${data.token}`,
    bearer: { authorization: `Bearer ${data.token}` },
  }
}
