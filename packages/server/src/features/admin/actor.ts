import type { Principal } from '../../platform/http/principal.ts'
import type { Actor } from './audit.ts'

export interface AdminCall {
  principal: Principal
  requestId: string
}

/** That the admin is in good standing is checked before the handler, as the contract declares. */
export function actorOf({ principal, requestId }: AdminCall): Actor {
  return { ownerId: principal.ownerId, requestId }
}
