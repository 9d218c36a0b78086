import type { Queryable } from '../../platform/db/queryable.ts'
import { createGather } from '../../platform/fast/gather.ts'
import { announce } from './store.ts'

export interface News {
  ownerId: string
  /** The page that it is about. */
  link?: string | undefined
}

const NEWS_PER_MESSAGE = 500
/** A message has less than 8,000 bytes. */
const MAX_LINKS = 100
const MAX_LINK_LENGTH = 60

/**
 * Notifies the streams of all processes whose feed has grown. It does so after the commit and not in it, because commits
 * that carry messages wait for one another; owners with new notifications in the meantime share the next statement.
 */
export function createAnnouncer(db: Queryable): (news: News) => void {
  return createGather({
    batchLimit: NEWS_PER_MESSAGE,
    inFlightLimit: 1,
    // A statement that fails loses nothing: every stream looks for itself at its next heartbeat.
    send: (news: News[]) => announce(db, messagesOf(news)).catch(() => undefined),
  })
}

/** One for each owner: who it is, and the pages that the news are about. Without pages, it may be about any. */
export function messagesOf(news: readonly News[]): string[] {
  const byOwner = Map.groupBy(news, ({ ownerId }) => ownerId)
  return Array.from(byOwner, ([ownerId, own]) => {
    const links = [...new Set(own.map(({ link = '' }) => link))]
    const isNamed = links.length <= MAX_LINKS && links.every((link) => isShort(link))
    return isNamed ? [ownerId, ...links].join(' ') : ownerId
  })
}

const isShort = (link: string): boolean => /^[!-~]+$/.test(link) && link.length <= MAX_LINK_LENGTH

export function readMessage(message: string): { ownerId: string; links: readonly string[] } {
  const [ownerId = '', ...links] = message.split(' ')
  return { ownerId, links }
}
