import { useState } from 'react'
import { Button } from './Button.tsx'

interface LoadMoreProps {
  hasMore: boolean
  isLoading: boolean
  onLoadMore: () => void
  /** "24 of 61 agents" */
  summary?: string | undefined
}

/**
 * The end of a list that goes on. A button and not endless scrolling, so that the footer stays in reach. With the last page
 * the button goes, and its focus goes to the line that is left.
 */
export function LoadMore({ hasMore, isLoading, onLoadMore, summary }: LoadMoreProps) {
  const [hadMore, setHadMore] = useState(hasMore)
  if (hasMore && !hadMore) setHadMore(true)
  const line = summary ?? (hadMore && !hasMore ? 'All are shown.' : undefined)
  if (!hasMore && !line) return null
  return (
    <div className="flex flex-col items-center gap-3 py-4">
      {line && (
        <p tabIndex={-1} className="text-14 text-ink-muted">
          {line}
        </p>
      )}
      {hasMore && (
        <Button isBusy={isLoading} onClick={onLoadMore}>
          Show more
        </Button>
      )}
    </div>
  )
}
