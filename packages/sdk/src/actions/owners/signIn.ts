import type { Core, Session } from '../../core.ts'
import type { CallOptions } from '../../endpoints.ts'
import { signInOnce } from '../../transport/session.ts'

/** Signs in now. Calls that need it do so by themselves, also when the session has ended, so this is rarely called. */
export function signIn(core: Core, { signal }: CallOptions = {}): Promise<Session> {
  return signInOnce(core, signal)
}
