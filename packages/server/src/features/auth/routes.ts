import {
  getSession,
  logout,
  requestNonce,
  SESSION_LIFETIME_SECONDS,
  verifySignature,
} from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { tokenCookie } from '../../platform/http/credential.ts'
import { presentNonce, presentSession, presentSignIn } from './present.ts'
import type { AuthService } from './service.ts'

const NO_SESSION =
  'Nothing was ended: this is an API key, which has no session. Revoke it with DELETE /api/api-keys/{id}.'

interface AuthRoutesDeps {
  auth: AuthService
  forgetOwner: (ownerId: string) => void
  secureCookies: boolean
}

export function authRoutes({ auth, forgetOwner, secureCookies }: AuthRoutesDeps): Route[] {
  const setCookie = (token: string, maxAgeSeconds: number) =>
    tokenCookie(token, { secure: secureCookies, maxAgeSeconds })
  return [
    route(requestNonce, async ({ body }) => presentNonce(await auth.issueNonce(body.walletAddress))),

    route(verifySignature, async ({ body, reply }) => {
      const signedIn = await auth.signIn(body)
      reply.header('Set-Cookie', setCookie(signedIn.token, SESSION_LIFETIME_SECONDS))
      return presentSignIn(signedIn)
    }),

    route(logout, async ({ principal, reply }) => {
      // Only keys have scopes.
      if (principal.scopes) return { data: { loggedOut: false, message: NO_SESSION } }
      await auth.signOut(principal.sessionId)
      forgetOwner(principal.ownerId)
      reply.header('Set-Cookie', setCookie('', 0))
      return { data: { loggedOut: true } }
    }),

    route(getSession, async ({ principal }) =>
      presentSession(principal, await auth.accountOf(principal.ownerId)),
    ),
  ]
}
