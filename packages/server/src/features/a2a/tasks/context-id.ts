import { RequestMalformedError } from '@a2a-js/sdk/errors'

const MAX_LENGTH = 200

/** Contexts are named by callers. */
export function checkContextId(contextId: string): void {
  if (contextId.length > MAX_LENGTH)
    throw new RequestMalformedError(`contextId has ${MAX_LENGTH} characters at most`)
  if (contextId.includes('\u0000')) throw new RequestMalformedError('contextId contains a NUL character')
}
