import { randomBase36 } from '../id/id.ts'

const safeRequestId = /^[A-Za-z0-9_-]{8,64}$/

export type RequestIdOf = (header: string | string[] | undefined) => string

/** A caller's own id is kept when it cannot harm a log line; otherwise one is made from a process prefix and a counter. */
export function createRequestIds(): RequestIdOf {
  const prefix = `req_${randomBase36(10)}`
  let counter = 0
  return (header) => {
    if (typeof header === 'string' && safeRequestId.test(header)) return header
    counter += 1
    return `${prefix}${counter.toString(36).padStart(6, '0')}`
  }
}
