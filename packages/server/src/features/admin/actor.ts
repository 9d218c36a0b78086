import type { Principal } from '../../platform/http/principal.ts'
import type { Actor } from './audit.ts'

export interface AdminCall {
  principal: Principal
  requestId: string
}

/** That whoever decides is in good standing themselves is checked before the handler: the contract says so. */
export function actorOf({ principal, requestId }: AdminCall): Actor {
  return { ownerId: principal.ownerId, requestId }
}
