import type { Core } from '../../core.ts'
import type { CallOptions, DataOf } from '../../endpoints.ts'
import { isMarketplaceError } from '../../errors.ts'
import { send } from '../../transport/send.ts'
import { setSession } from '../../transport/session.ts'

/** The session that the browser's cookie holds, for a client with `cookieSession`; undefined when it holds none. */
export async function resumeSession(
  core: Core,
  { signal }: CallOptions = {},
): Promise<DataOf<'getSession'> | undefined> {
  try {
    const { response } = await send(core, 'getSession', { signal })
    const { owner, csrfToken, expiresAt } = response.data
    setSession(core, { token: csrfToken, owner, expiresAtMs: Date.parse(expiresAt) })
    return response.data
  } catch (error) {
    if (!isMarketplaceError(error, 'UNAUTHORIZED')) throw error
    setSession(core, undefined)
    return undefined
  }
}
