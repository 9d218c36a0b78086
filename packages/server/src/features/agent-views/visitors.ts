import { createHmac, randomBytes } from 'node:crypto'

/** Beyond this many, a new memory begins: some visitors may then count twice, and memory stays bounded. */
const REMEMBERED = 100_000

/** Programs that name themselves in their user agent. Others that run the page look like people. */
const bots =
  /bot\b|bot\/|crawl|spider|slurp|preview|scrape|fetch|curl|wget|python|http-?client|facebookexternalhit|lighthouse|monitor/i

export const isBot = (userAgent: string | undefined): boolean =>
  userAgent === undefined || bots.test(userAgent)

/**
 * Whether a visitor comes for the first time on a day. Visitors are remembered in this process alone, as hashes with a key that
 * is new each day and kept nowhere: who it was cannot be found out, neither later nor from the database.
 */
export function createVisitors(remembered = REMEMBERED) {
  let today = ''
  let key = randomBytes(32)
  let seen = new Set<string>()

  return {
    isNew(day: string, visitor: readonly string[]): boolean {
      if (day !== today || seen.size >= remembered) {
        today = day
        key = randomBytes(32)
        seen = new Set()
      }
      const mark = createHmac('sha256', key).update(JSON.stringify(visitor)).digest('base64url').slice(0, 22)
      if (seen.has(mark)) return false
      seen.add(mark)
      return true
    },
  }
}
