// Addresses are taken and compared without checksums, whose hash function would weigh on every page with this client.

const isAddress = (value: unknown): value is `0x${string}` =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

export const isSameAddress = (one: unknown, other: string): boolean =>
  isAddress(one) && one.toLowerCase() === other.toLowerCase()

export function asAddress(value: string): `0x${string}` {
  if (!isAddress(value)) throw new TypeError(`${value} is not an address.`)
  return value
}
