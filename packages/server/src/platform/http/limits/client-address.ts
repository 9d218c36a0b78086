import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** What is looked at of a request. */
export interface Caller {
  socket: { remoteAddress?: string | undefined }
  headers: IncomingHttpHeaders
}

export type ClientAddressOf = (caller: Caller) => string

/**
 * By what a client is counted. That is the socket's address, unless the peer is a configured proxy. Then it is the right-most
 * hop of X-Forwarded-For that is not itself such a proxy: everything to the left of it was written by someone we do not
 * know. However an address is spelled, it is the same client; and so is a whole IPv6 network of 64 bits, which is the least
 * that anyone is given.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddressOf {
  if (trustedProxies.length === 0) return ({ socket }) => counted(plain(socket.remoteAddress))
  const isTrusted = createIsTrusted(trustedProxies)
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress)
    const forwarded = headers['x-forwarded-for']
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',')
    while (isTrusted(address) && hops.length > 0) {
      const hop = plain(hops.pop()?.trim())
      if (isIP(hop) === 0) break
      address = hop
    }
    return counted(address)
  }
}

/** The address under which a peer's connections are counted; undefined for a trusted proxy, which carries those of many clients. */
export function createPeerAddress(
  trustedProxies: readonly string[],
): (socket: Caller['socket']) => string | undefined {
  const isTrusted = createIsTrusted(trustedProxies)
  return ({ remoteAddress }) => {
    const address = plain(remoteAddress)
    return isTrusted(address) ? undefined : counted(address)
  }
}

function createIsTrusted(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** IPv4 clients of a dual-stack socket show up as ::ffff:1.2.3.4, or in hex; they are the same client. */
function plain(address: string | undefined): string {
  if (!address) return 'unknown'
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return address
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

function counted(address: string): string {
  if (isIP(address) !== 6) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight groups of an IPv6 address, whatever its spelling: letter case, zeros, `::`, a zone, an IPv4 tail. */
function groupsOf(address: string): number[] {
  const [bare = ''] = address.split('%')
  const [head = '', tail] = bare.split('::')
  const front = readGroups(head)
  const back = tail === undefined ? [] : readGroups(tail)
  return [...front, ...Array(Math.max(0, 8 - front.length - back.length)).fill(0), ...back]
}

function readGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
