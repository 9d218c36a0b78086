import type { Notification } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'
import { TimeAgo } from '../text/Time.tsx'

interface NotificationLineProps {
  notification: Notification
  /** It was opened, and is read by that. */
  onOpen: () => void
  /** What stands at the end of the line. */
  action?: ReactNode
}

/** One piece of news, leading to what it speaks of. */
export function NotificationLine({ notification, onOpen, action }: NotificationLineProps) {
  const { title, message, createdAt, read, link } = notification
  const content = (
    <>
      <span
        aria-hidden
        className={cx('mt-1.5 size-2 shrink-0 rounded-pill', read ? 'bg-transparent' : 'bg-accent')}
      />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5 text-14">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={cx(!read && 'font-medium')}>
            {!read && <span className="sr-only">Unread: </span>}
            {title}
          </span>
          <TimeAgo at={createdAt} className="text-12 text-ink-faint" />
        </span>
        <span className="text-ink-muted wrap-anywhere">{message}</span>
      </span>
    </>
  )
  const shape = 'flex min-w-0 flex-1 gap-3 px-4 py-3'
  return (
    <li className="flex items-center border-b border-line last:border-0">
      {link === null ? (
        <div className={shape}>{content}</div>
      ) : (
        <Link to={link} onClick={onOpen} className={cx(shape, '-outline-offset-2 hover:bg-sunken')}>
          {content}
        </Link>
      )}
      {action}
    </li>
  )
}
