import type { GuardedCall } from './guarded-call.ts'

/** Why there is no response, in words for the owner. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
}

/** A guarded call in the shape of `fetch`, for libraries that take one. A response is read whole, or it is a failure. */
export function asFetch(call: GuardedCall): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const result = await call({
      method: request.method === 'GET' ? 'GET' : 'POST',
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : await request.text(),
    })
    if (result.kind === 'failure') throw new CallFailed(result.why)
    if (result.end === 'TOO_LARGE') throw new CallFailed('The response is too large.')
    if (result.end === 'CUT_OFF') throw new CallFailed('The response was cut off, or took too long.')
    return new Response(result.text === '' ? null : result.text, { status: result.status })
  }
}
