import { invalidField } from '@agent-marketplace/contract'
import { isReachable, literalAddressOf } from './public-address.ts'

/** What can be checked from the URL alone; where its name leads is checked at every attempt. */
export function checkUrl(given: string, { allowsLocal }: { allowsLocal: boolean }): string {
  if (!URL.canParse(given)) throw invalidField('/url', 'is not a URL')
  const url = new URL(given)
  if (url.protocol !== 'https:' && !(allowsLocal && url.protocol === 'http:')) {
    throw invalidField('/url', 'must begin with https://')
  }
  if (url.username !== '' || url.password !== '')
    throw invalidField('/url', 'must not hold a user or password')
  const literal = literalAddressOf(url)
  const isClosed =
    literal === undefined
      ? !allowsLocal && /(^|\.)localhost\.?$/.test(url.hostname)
      : !isReachable(literal, { allowsLocal })
  if (isClosed) throw invalidField('/url', 'is a private or local address')
  url.hash = ''
  return url.href
}
