import { markOf } from '@agent-marketplace/contract'
import { useState } from 'react'
import { cx } from '../design/cx.ts'

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
  const { hue, cells } = markOf(address)
  return (
    <svg aria-hidden="true" viewBox="0 0 7 7" width={size} height={size} className={shape}>
      <rect width="7" height="7" fill={`oklch(0.93 0.03 ${hue})`} />
      {cells.map((isFilled, index) =>
        isFilled ? (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place in the grid
            key={index}
            x={1 + (index % 5)}
            y={1 + Math.floor(index / 5)}
            width="1.02"
            height="1.02"
            fill={`oklch(0.42 0.09 ${hue})`}
          />
        ) : null,
      )}
    </svg>
  )
}

function isOurs(url: string): boolean {
  return URL.parse(url, window.location.href)?.origin === window.location.origin
}
