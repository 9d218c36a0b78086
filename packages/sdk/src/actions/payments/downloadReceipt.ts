import type { Core } from '../../core.ts'
import type { CallOptions } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'
import { readBody, whileItComes } from '../../transport/readBody.ts'

/** The receipt of a paid job as PDF. */
export async function downloadReceipt(
  core: Core,
  jobId: string,
  { signal }: CallOptions = {},
): Promise<Uint8Array> {
  const { response } = await exchange(core, 'downloadReceipt', { params: { id: jobId }, signal })
  return readBody(whileItComes(core, response))
}
