import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not the public internet: private, shared, loopback, link-local (with the clouds' metadata), test and multicast. */
const closedV4 = networks('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

/** Public IPv6 is one block; everything else is closed, also addresses that wrap an IPv4 one (mapped, NAT64). */
const globalV6 = networks('ipv6', ['2000::/3'])
/** Parts of that block that are documentation, or tunnels that can lead anywhere (Teredo, 6to4). */
const closedV6 = networks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

const loopbackV4 = networks('ipv4', ['127.0.0.0/8'])
const loopbackV6 = networks('ipv6', ['::1/128'])

/** Whether the service may connect to this address for somebody else. */
export function isReachable(address: string, { allowsLocal }: { allowsLocal: boolean }): boolean {
  switch (isIP(address)) {
    case 4:
      return !closedV4.check(address, 'ipv4') || (allowsLocal && loopbackV4.check(address, 'ipv4'))
    case 6:
      if (allowsLocal && loopbackV6.check(address, 'ipv6')) return true
      return globalV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6')
    default:
      return false
  }
}

/** The host of a URL as an address, without the brackets of IPv6; undefined when it is a name. */
export function literalAddressOf({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

function networks(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}
