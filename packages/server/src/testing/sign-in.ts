import type { FastifyInstance } from 'fastify'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

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
export async function signIn(http: FastifyInstance, wallet = newWallet()): Promise<SignedInOwner> {
  const nonceAnswer = await http.inject({
    method: 'POST',
    url: '/api/auth/request-nonce',
    payload: { walletAddress: wallet.address },
  })
  const { nonce, message } = nonceAnswer.json().data
  const answer = await http.inject({
    method: 'POST',
    url: '/api/auth/verify-signature',
    payload: { walletAddress: wallet.address, nonce, signature: await wallet.signMessage({ message }) },
  })
  if (answer.statusCode !== 200) throw new Error(`sign-in answered ${answer.statusCode}: ${answer.body}`)
  const { owner, csrfToken, data } = answer.json()
  return {
    wallet,
    ownerId: owner.id,
    token: data.token,
    csrfToken,
    cookie: `token=${data.token}`,
    bearer: { authorization: `Bearer ${data.token}` },
  }
}
