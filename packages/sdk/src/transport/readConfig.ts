import type { Core } from '../core.ts'
import type { DataOf } from '../endpoints.ts'
import { send } from './send.ts'

/** The configuration, read once for a client, for what does not change while a service runs: all but arbiter and treasury. It is public, so no sign-in is needed. */
export function readConfig(core: Core): Promise<DataOf<'getConfig'>> {
  const { memory } = core
  memory.config ??= send(core, 'getConfig', {}).then(
    ({ response }) => response.data,
    (error) => {
      memory.config = undefined
      throw error
    },
  )
  return memory.config
}
