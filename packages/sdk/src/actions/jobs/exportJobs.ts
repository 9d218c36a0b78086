import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'
import { readText, whileItComes } from '../../transport/readBody.ts'

/** Your jobs as CSV, oldest first. */
export async function exportJobs(
  core: Core,
  query: QueryOf<'exportJobs'> = {},
  { signal }: CallOptions = {},
): Promise<string> {
  const { response } = await exchange(core, 'exportJobs', { query, signal })
  return readText(whileItComes(core, response))
}
