import type { Core } from '../core.ts'
import type { CallOptions, DataOf } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Who is signed in, and until when. */
export async function getSession(core: Core, { signal }: CallOptions = {}): Promise<DataOf<'getSession'>> {
  const { response } = await exchange(core, 'getSession', { signal })
  return response.data
}
