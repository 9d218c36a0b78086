import type { Core } from '../../core.ts'
import type { CallOptions, QueryOf } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'
import { readText, whileItComes } from '../../transport/readBody.ts'

/** What you spent as CSV, oldest first. */
export async function exportSpending(
  core: Core,
  query: QueryOf<'exportSpending'> = {},
  { signal }: CallOptions = {},
): Promise<string> {
  const { response } = await exchange(core, 'exportSpending', { query, signal })
  return readText(whileItComes(core, response))
}
