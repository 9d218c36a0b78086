import { SESSION_LIFETIME_SECONDS } from '@agent-marketplace/contract'
import type { Core, Session } from '../core.ts'
import { isMarketplaceError } from '../errors.ts'
import type { Signer } from '../signer.ts'
import { checkSignIn } from './checkSignIn.ts'
import { readConfig } from './readConfig.ts'
import { send } from './send.ts'

/**
 * Signs in. A nonce works once, so a lost response cannot be requested again: then the whole
 * sign-in is done once more, with a new nonce.
 */
export async function openSession(core: Core, account: Signer): Promise<Session> {
  try {
    return await signNonce(core, account)
  } catch (error) {
    if (!isMarketplaceError(error, 'NETWORK_ERROR', 'UNAVAILABLE', 'INTERNAL_ERROR')) throw error
    return signNonce(core, account)
  }
}

async function signNonce(core: Core, account: Signer): Promise<Session> {
  const walletAddress = account.address
  const asked = await send(core, 'requestNonce', { body: { walletAddress } })
  const { nonce, message } = asked.response.data
  const startedAtMs = core.clock.nowMs()
  const { chain } = await readConfig(core)
  const { baseUrl, publicUrl } = core
  checkSignIn(message, {
    baseUrl: publicUrl ?? baseUrl,
    address: walletAddress,
    chainId: chain.id,
    nonce,
    nowMs: startedAtMs,
  })
  await core.onSign({ kind: 'signIn', message })
  const signature = await account.signMessage({ message })
  const verified = await send(core, 'verifySignature', { body: { walletAddress, signature, nonce } })
  const { token, csrfToken, owner } = verified.response.data
  return {
    token: core.usesCookie ? csrfToken : token,
    owner,
    expiresAtMs: startedAtMs + SESSION_LIFETIME_SECONDS * 1000,
  }
}
