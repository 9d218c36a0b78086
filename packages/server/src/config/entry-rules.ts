import { isIP } from 'node:net'
import { isZeroAddress } from '@agent-marketplace/contract'

export const webProtocols = ['http:', 'https:']
export const isAddress = (entry: string) => /^0x[0-9a-fA-F]{40}$/.test(entry) && !isZeroAddress(entry)
export const isOrigin = (entry: string) => URL.parse(entry)?.origin === entry

/** `market.example`, `10.0.0.5` or `[fd00::1]`: what stands in a URL between the slashes and the port. */
export const isHostName = (entry: string) => {
  const url = URL.parse(`http://${entry}`)
  return url !== null && url.hostname === entry.toLowerCase() && url.host === url.hostname
}

export function isNetwork(entry: string): boolean {
  const [address = '', prefix] = entry.split('/')
  const family = isIP(address)
  if (family === 0) return false
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

/** 32 bytes as base64url. */
export const isPublicKey = (text: string): boolean => /^[\w-]{43}$/.test(text)
