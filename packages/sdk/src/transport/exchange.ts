import type { Core } from '../core.ts'
import type { EndpointId } from '../endpoints.ts'
import { isMarketplaceError } from '../errors.ts'
import { routes } from '../generated/routes.ts'
import type { Exchange } from './prepare.ts'
import { type Exchanged, send } from './send.ts'
import { findToken, forgetToken } from './session.ts'

/** Calls an endpoint with the current session. If the service rejects it, signs in again once. */
export function exchange<Id extends EndpointId>(
  core: Core,
  id: Id,
  call: Exchange = {},
): Promise<Exchanged<Id>> {
  const { isPublic } = routes[id]
  return send(core, id, call, async (attempt) => {
    const token = await findToken(core, isPublic, call.signal)
    try {
      return await attempt(token)
    } catch (error) {
      if (!isMarketplaceError(error, 'UNAUTHORIZED') || !forgetToken(core, token)) throw error
      return attempt(await findToken(core, isPublic, call.signal))
    }
  })
}
