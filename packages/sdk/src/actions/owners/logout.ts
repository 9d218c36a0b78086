import type { Core } from '../../core.ts'
import type { CallOptions } from '../../endpoints.ts'
import { isMarketplaceError } from '../../errors.ts'
import { send } from '../../transport/send.ts'
import { setSession } from '../../transport/session.ts'

/** Ends the session everywhere. Without one, or with one that has ended already, it does nothing. */
export async function logout(core: Core, { signal }: CallOptions = {}): Promise<void> {
  const { session } = core.memory
  if (!session) return
  try {
    await send(core, 'logout', { signal }, (attempt) => attempt(session.token))
  } catch (error) {
    if (!isMarketplaceError(error, 'UNAUTHORIZED')) throw error
  }
  setSession(core, undefined)
}
