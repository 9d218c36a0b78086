import { invalidField } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'

/** HTTP/1.1 asks for exactly one in every request; of several, each proxy could believe another one. */
export function requireHost({ headers, raw }: FastifyRequest): void {
  if (headers.host === undefined && raw.httpVersion !== '1.0') throw invalidField('Host', 'is required')
  if (countHosts(raw.rawHeaders) > 1) throw invalidField('Host', 'must be sent once')
}

/** Names stand at the even places. Node keeps the first Host alone in `headers`. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
