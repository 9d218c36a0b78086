import type { MarketplaceError } from '@agent-marketplace/sdk'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Market } from './tool.ts'

/** An error of the marketplace as a model can act on it: what is wrong, and what to do about it. */
export function failureOf(
  { code, message, details, retryable }: MarketplaceError,
  market: Market,
): CallToolResult {
  const advice = retryable
    ? 'Call it again later, with the same idempotencyKey if it has one.'
    : adviceFor(code, market)
  const error = { code, message, details }
  return {
    isError: true,
    content: [
      { type: 'text', text: [message, advice].filter(Boolean).join(' ') },
      { type: 'text', text: JSON.stringify({ error }) },
    ],
    structuredContent: { error },
  }
}

function adviceFor(code: string, { publicUrl, hasAccount }: Market): string | undefined {
  if (code === 'UNAUTHORIZED')
    return hasAccount
      ? 'The credential is not valid any more.'
      : `This tool needs an account: make an API key at ${new URL('/developers/keys', publicUrl).href} and send it as the Bearer token. Searching, and hiring with an x402 wallet, need none.`
  if (code === 'VALIDATION_ERROR') return 'Correct the fields in details.issues and call it again.'
  if (code === 'NOT_FOUND') return 'Check the identifiers: search_agents and my_jobs have them.'
  if (code === 'INVALID_STATE') return 'Read the job with get_job: allowedActions has what is possible now.'
  return undefined
}
