import type { getSession, requestNonce, verifySignature } from '@agent-marketplace/contract'
import type { ResponseOf } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Account, SignedIn } from './service.ts'
import type { NonceRow } from './store.ts'

export function presentNonce(row: NonceRow): ResponseOf<typeof requestNonce> {
  return { data: { nonce: row.nonce, expiresAt: row.expiresAt.toISOString(), message: row.message } }
}

export function presentSignIn({ account, token, csrfToken }: SignedIn): ResponseOf<typeof verifySignature> {
  const { id, walletAddress, kycStatus } = account.owner
  return {
    a: { owner: account.owner, csrfToken },
    b: {
      data: { token, csrfToken, owner: { id, walletAddress, entityName: account.entityName, kycStatus } },
    },
  }
}

export function presentSession(principal: Principal, account: Account): ResponseOf<typeof getSession> {
  return {
    data: {
      owner: account.owner,
      csrfToken: principal.csrfToken,
      expiresAt: principal.expiresAt.toISOString(),
    },
  }
}
