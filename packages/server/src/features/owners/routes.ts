import { receiveKycWebhook, registerOwner } from '@agent-marketplace/contract'
import { respondInSteps } from '../../house/steps.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { presentRegistration } from './present.ts'
import type { Registered } from './registration.ts'
import type { OwnersService } from './service.ts'

export function ownersRoutes({ owners }: { owners: OwnersService }): Route[] {
  return [
    route(registerOwner, (call) => {
      const { principal, body } = call
      const present = (registered: Registered) => presentRegistration(registered, principal.isAdmin)
      return respondInSteps(call, owners.register(principal.ownerId, body), present)
    }),

    route(receiveKycWebhook, async ({ rawBody, request }) => {
      await owners.receiveKycWebhook({ rawBody: rawBody ?? new Uint8Array(), headers: request.headers })
      return { data: { received: true } }
    }),
  ]
}
