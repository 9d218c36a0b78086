import type { JobQuote } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, CallOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** What a job would cost and how it would be paid, before anything is signed. Nothing is made by it. */
export async function quoteJob(
  core: Core,
  body: BodyOf<'quoteJob'>,
  { signal }: CallOptions = {},
): Promise<JobQuote> {
  const { response } = await exchange(core, 'quoteJob', { body, signal })
  return response.data
}
