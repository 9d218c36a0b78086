import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'
import { readText, whileItComes } from '../../transport/readBody.ts'

/** Your earnings as CSV, oldest first. */
export async function exportEarnings(
  core: Core,
  query: QueryOf<'exportEarnings'> = {},
  { signal }: CallOptions = {},
): Promise<string> {
  const { response } = await exchange(core, 'exportEarnings', { query, signal })
  return readText(whileItComes(core, response))
}
