import type { NotificationType } from '@agent-marketplace/contract'
import type { Queryable } from '../db/queryable.ts'

/** What an owner is told: in the feed, on its live stream, and by webhook. */
export interface Notice {
  ownerId: string
  type: NotificationType
  title: string
  message: string
  /** The page that it is about, as a path of this site. */
  link?: string | undefined
  /** Notices that are cheap to cause carry one: the feed shows many unread ones of the same key as a few. */
  foldKey?: string | undefined
}

/** What is told before it is known to whom and where. */
export type NoticeWords = Pick<Notice, 'type' | 'title' | 'message'>

/** Tells owners something, inside the transaction that does it. */
export type Notify = (tx: Queryable, ...notices: Notice[]) => Promise<void>
