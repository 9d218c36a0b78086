import {
  decideConsentRequest,
  getConsentRequest,
  listGrants,
  type OAuthGrant,
  revokeGrant,
} from '@agent-marketplace/contract'
import { presentCredential, type WithBudget } from '../../house/credentials/credential.ts'
import { type Route, route } from '../../platform/http/call.ts'
import type { Consent } from './consent.ts'
import type { Grants } from './grants.ts'
import type { GrantRow } from './grants-store.ts'

export function oauthRoutes({ consent, grants }: { consent: Consent; grants: Grants }): Route[] {
  return [
    route(getConsentRequest, async ({ params: { id }, principal, request, reply }) => ({
      data: await consent.read({ id, principal, request, reply }),
    })),

    // A decision is made once: a second one finds nothing to decide.
    route(decideConsentRequest, async ({ params: { id }, principal, body, request, reply }) => ({
      data: { continueAt: await consent.decide({ id, principal, request, reply }, body) },
    })),

    route(listGrants, async ({ principal }) => ({
      data: (await grants.list(principal.ownerId)).map(presentGrant),
    })),

    route(revokeGrant, async ({ principal, params, transaction }) =>
      transaction(async (tx) => {
        await grants.revoke(tx, { id: params.id, ownerId: principal.ownerId })
        return { data: { revoked: true } }
      }),
    ),
  ]
}

const presentGrant = (grant: WithBudget<GrantRow>): OAuthGrant => ({
  ...presentCredential(grant),
  clientName: grant.clientName,
  clientHost: grant.clientHost,
  resource: grant.resource,
  expiresAt: grant.expiresAt.toISOString(),
})
