import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

export type ClientAddressOf = (request: FastifyRequest) => string

/**
 * The socket's address, unless the peer is a configured proxy. Then the right-most hop of X-Forwarded-For that is not
 * itself such a proxy: everything to the left of it was written by someone we do not know.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddressOf {
  if (trustedProxies.length === 0) return (request) => plain(request.socket.remoteAddress)
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (request) => {
    let address = plain(request.socket.remoteAddress)
    const forwarded = request.headers['x-forwarded-for']
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',')
    while (isTrusted(address) && hops.length > 0) {
      const hop = plain(hops.pop()?.trim())
      if (isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}

/** IPv4 clients of a dual-stack socket show up as ::ffff:1.2.3.4; they are the same client. */
function plain(address: string | undefined): string {
  if (!address) return 'unknown'
  return address.startsWith('::ffff:') ? address.slice(7) : address
}
