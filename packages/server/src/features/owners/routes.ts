import { receiveKycWebhook, registerOwner } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { presentRegistration } from './present.ts'
import type { OwnersService } from './service.ts'

export function ownersRoutes({ owners }: { owners: OwnersService }): Route[] {
  return [
    route(registerOwner, async ({ principal, body, transaction }) => {
      const attempt = await owners.beginRegistration(principal.ownerId, body)
      return transaction(async (tx) =>
        presentRegistration(await owners.completeRegistration(tx, attempt), principal.isAdmin),
      )
    }),

    route(receiveKycWebhook, async ({ rawBody, request }) => {
      await owners.receiveKycWebhook({ rawBody: rawBody ?? new Uint8Array(), headers: request.headers })
      return { data: { received: true } }
    }),
  ]
}
