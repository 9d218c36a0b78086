import type { NotificationType } from '@agent-marketplace/contract'
import type { Queryable } from '../db/queryable.ts'

/** A notification to an owner: in the feed, on its live stream, and by webhook. */
export interface Notice {
  ownerId: string
  type: NotificationType
  title: string
  message: string
  /** The page that it is about, as a path of this site. */
  link?: string | undefined
  /** Notices that are cheap to cause carry one: the feed shows many unread ones of the same key as a few. */
  foldKey?: string | undefined
  /** What passes by and nobody has to read later: to live streams and webhooks, or to streams alone; never in the feed. */
  reach?: 'PROGRAMS' | 'STREAM' | undefined
}

/** With the id of its notification. */
export interface IdentifiedNotice extends Notice {
  id: string
}

export const reachesWebhooks = ({ reach }: Pick<Notice, 'reach'>): boolean => reach !== 'STREAM'

/** A notification without its recipient and link. */
export type NoticeWords = Pick<Notice, 'type' | 'title' | 'message'>

/** Notifies owners, inside the transaction that causes it. */
export type Notify = (tx: Queryable, ...notices: Notice[]) => Promise<void>
