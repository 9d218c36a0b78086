import { Type } from 'typebox'
import { defineEndpoint, oneForm, twoForms } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { NONCE_LIFETIME_SECONDS, SESSION_LIFETIME_SECONDS } from '../base/limits.ts'
import { Address, DateTime } from '../base/shapes.ts'
import { Owner, OwnerInAuth } from './owners.ts'

const CsrfToken = Type.String({
  description: 'Send it as `X-CSRF-Token` on every mutation that is authenticated by the cookie.',
  examples: ['pX1d3sZ9tq0Yk2mV7wQ4uR8bN5cJ6hLa'],
})

const exampleMessage = `localhost:4000 wants you to sign in with your Ethereum account:
0x71C7656EC7ab88b098defB751B7401B5f6d8976F

Sign in to the Agent Marketplace.

URI: http://localhost:4000
Version: 1
Chain ID: 8453
Nonce: AgentMarketplaceSignInlocalhost4000k3J9x0QmT7sW2bV5nY8cR1
Issued At: 2026-11-15T09:25:00.000Z
Expiration Time: 2026-11-15T09:30:00.000Z`

export const requestNonce = defineEndpoint({
  id: 'requestNonce',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/auth/request-nonce',
  tag: 'Authentication',
  summary: 'Ask for a nonce to sign',
  description:
    'Starts a sign-in. Sign `message` (a ready EIP-4361 text) with the wallet, as an EIP-191 personal message. The bare ' +
    `nonce is taken too, unless the service has that turned off. The nonce belongs to this wallet, lives ${NONCE_LIFETIME_SECONDS / 60} minutes and works once.`,
  access: 'public',
  rate: 'auth',
  body: oneForm(Type.Object({ walletAddress: Address })),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        nonce: Type.String({
          pattern: '^[0-9a-zA-Z]{32,128}$',
          description: 'Letters and digits that say what a signature over them is for, and a random end.',
          examples: ['AgentMarketplaceSignInlocalhost4000k3J9x0QmT7sW2bV5nY8cR1'],
        }),
        expiresAt: DateTime,
        message: Type.String({
          description: 'An EIP-4361 message around the nonce, ready to be signed.',
          examples: [exampleMessage],
        }),
      }),
    }),
  ),
  errors: [],
  examples: { body: { walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' } },
})

export const verifySignature = defineEndpoint({
  id: 'verifySignature',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/auth/verify-signature',
  tag: 'Authentication',
  summary: 'Sign in with the signed nonce',
  description:
    'Verifies the signature, sets the httpOnly cookie `token` and returns the CSRF token; form B also returns the JWT for ' +
    'use as a Bearer token. Plain wallets and smart accounts (ERC-1271, ERC-6492) are accepted. A wallet that signs in for ' +
    `the first time gets an owner record. A session lasts ${SESSION_LIFETIME_SECONDS / 3600} hours.`,
  access: 'public',
  rate: 'auth',
  body: oneForm(
    Type.Object({
      walletAddress: Type.String({ maxLength: 100, description: 'The wallet that asked for the nonce.' }),
      signature: Type.String({
        maxLength: 20_000,
        description: 'The wallet’s signature, as 0x-prefixed hex.',
      }),
      nonce: Type.String({ maxLength: 200, description: 'The nonce that was signed.' }),
    }),
  ),
  status: 200,
  setsCookie: true,
  response: twoForms({
    a: Type.Object({ owner: Owner, csrfToken: CsrfToken }),
    b: Type.Object({
      data: Type.Object({
        token: Type.String({
          description: 'A JWT, to be sent as `Authorization: Bearer <token>`.',
          examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjbWkwIn0.c2lnbmF0dXJl'],
        }),
        csrfToken: CsrfToken,
        owner: OwnerInAuth,
      }),
    }),
  }),
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  examples: {
    body: {
      walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      signature: `0x${'5c'.repeat(64)}1b`,
      nonce: 'AgentMarketplaceSignInlocalhost4000k3J9x0QmT7sW2bV5nY8cR1',
    },
  },
})

export const logout = defineEndpoint({
  id: 'logout',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/auth/logout',
  tag: 'Authentication',
  summary: 'End this session',
  description:
    'Revokes the token that the request carries, everywhere, and clears the cookie; its open streams end at once. An API key has no session: `loggedOut` is false then, and `message` says how to revoke the key.',
  access: 'owner',
  rate: 'api',
  status: 200,
  setsCookie: true,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        loggedOut: Type.Boolean(),
        message: Type.Optional(
          Type.String({
            description: 'Why nothing was ended, where `loggedOut` is false.',
            examples: ['An API key has no session.'],
          }),
        ),
      }),
    }),
  ),
  errors: [],
})

export const getSession = defineEndpoint({
  id: 'getSession',
  method: 'GET',
  path: '/api/auth/session',
  tag: 'Authentication',
  summary: 'Look at this session',
  description:
    'Who is signed in, until when, and the CSRF token of this session (for a page that was reloaded).',
  access: 'owner',
  rate: 'api',
  status: 200,
  response: oneForm(
    Type.Object({ data: Type.Object({ owner: Owner, csrfToken: CsrfToken, expiresAt: DateTime }) }),
  ),
  errors: [],
})
