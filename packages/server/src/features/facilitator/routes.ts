import { getX402Supported, settleX402Payment, verifyX402Payment } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import type { Facilitator } from './service.ts'

export function facilitatorRoutes(facilitator: Facilitator): Route[] {
  return [
    route(getX402Supported, () => facilitator.supported()),
    route(verifyX402Payment, ({ body }) => facilitator.verify(body)),
    route(settleX402Payment, ({ body, requestId, principal }) =>
      facilitator.settle(body, { requestId, ownerId: principal.ownerId }),
    ),
  ]
}
