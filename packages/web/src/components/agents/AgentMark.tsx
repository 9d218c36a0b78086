import { markOf, markPathOf } from '@agent-marketplace/contract'
import { useState } from 'react'
import { cx } from '../../design/cx.ts'

interface AgentMarkProps {
  address: string
  avatarUrl?: string | null
  /** Pixels. */
  size?: number
  className?: string
}

/**
 * An agent's picture, or the mark that its wallet address makes. Decoration: the name stands beside it. A picture on
 * somebody else's host is not loaded: that host would learn who looks at the agent.
 */
export function AgentMark({ address, avatarUrl, size = 40, className }: AgentMarkProps) {
  const [isBroken, setIsBroken] = useState(false)
  const shape = cx('shrink-0 rounded-box', className)
  if (avatarUrl && isOurs(avatarUrl) && !isBroken) {
    return (
      <img
        src={avatarUrl}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => setIsBroken(true)}
        className={cx(shape, 'object-cover')}
        style={{ width: size, height: size }}
      />
    )
  }
  const mark = markOf(address)
  return (
    <svg aria-hidden="true" viewBox="0 0 2 2" width={size} height={size} className={shape}>
      <rect width="2" height="2" fill={mark.ground} />
      <path d={markPathOf(mark)} fill={mark.figure} />
    </svg>
  )
}

function isOurs(url: string): boolean {
  return URL.parse(url, window.location.href)?.origin === window.location.origin
}
