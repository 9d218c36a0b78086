import type { Core } from '../../core.ts'
import type { CallOptions } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'
import { readBody, whileItComes } from '../../transport/readBody.ts'

/** The bytes of a file that this service has stored. */
export async function downloadFile(
  core: Core,
  cid: string,
  { signal }: CallOptions = {},
): Promise<Uint8Array> {
  const { response } = await exchange(core, 'downloadFile', { params: { cid }, signal })
  return readBody(whileItComes(core, response))
}
