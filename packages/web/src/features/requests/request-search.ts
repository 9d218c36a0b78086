import type { StatusClass } from '@agent-marketplace/contract'
import type { RequestFilter } from '../../data/account/request-log.ts'

/** The filters as the address has them. */
export interface RequestSearch {
  requestId?: string
  status?: string
  method?: string
  path?: string
  caller?: string
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const statusChoices: readonly { value: StatusClass; words: string }[] = [
  { value: '2xx', words: '2xx succeeded' },
  { value: '3xx', words: '3xx redirected' },
  { value: '4xx', words: '4xx rejected' },
  { value: '5xx', words: '5xx failed' },
]

/** An old or mistyped address shows more, never an error. */
export function filterOf({ requestId, status, method, path, caller }: RequestSearch): RequestFilter {
  const knownStatus = statusChoices.find(({ value }) => value === status)?.value
  const knownMethod = methods.find((known) => known === method)
  return {
    ...(requestId && { requestId: requestId.slice(0, 64) }),
    ...(knownStatus && { status: knownStatus }),
    ...(knownMethod && { method: knownMethod }),
    ...(path && { path: path.slice(0, 200) }),
    ...(caller && /^[\w-]{1,64}$/.test(caller) && { caller }),
  }
}
