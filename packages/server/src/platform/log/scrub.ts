const REMOVED = '[secret]'
/** Shorter ones would be found inside ordinary words. */
const LEAST_LENGTH = 8

export type Scrub = (text: string) => string

/**
 * Takes every configured secret out of a text, in each spelling that it may have there: as it is, inside a URL or a JSON
 * string, and the parts of an address that may be secret (its path, query and password) by themselves, because a
 * library that fails to reach it puts those in its message.
 */
export function createScrub(secrets: readonly string[]): Scrub {
  const spellings = new Set(
    secrets
      .flatMap((secret) => [secret, ...partsOf(secret)])
      .flatMap((part) => [part, encodeURIComponent(part), decoded(part), JSON.stringify(part).slice(1, -1)])
      .filter(({ length }) => length >= LEAST_LENGTH),
  )
  if (spellings.size === 0) return (text) => text
  // The longest first: a whole address goes before its parts.
  const patterns = [...spellings].sort((a, b) => b.length - a.length).map(escaped)
  const anySecret = new RegExp(patterns.join('|'), 'gi')
  return (text) => text.replace(anySecret, REMOVED)
}

/** What of an address is secret: never its scheme and host, which an operator needs to read. */
function partsOf(secret: string): string[] {
  const bare = /^0x[0-9a-fA-F]{16,}$/.test(secret) ? [secret.slice(2)] : []
  const url = URL.canParse(secret) ? new URL(secret) : undefined
  if (!url?.host) return bare
  const { username, password, pathname, search } = url
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  const words = isWeb ? [...pathname.split('/'), ...url.searchParams.values()] : []
  const credentials = username && password ? [`${username}:${password}`] : []
  return [...bare, password, ...credentials, ...(isWeb ? [search.slice(1)] : []), ...words, url.href]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
