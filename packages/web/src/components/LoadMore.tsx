import { Button } from './Button.tsx'

interface LoadMoreProps {
  hasMore: boolean
  isLoading: boolean
  onLoadMore: () => void
  /** "24 of 61 agents" */
  summary?: string
}

/** The end of a list that goes on. A button and not endless scrolling, so that the footer stays in reach. */
export function LoadMore({ hasMore, isLoading, onLoadMore, summary }: LoadMoreProps) {
  if (!hasMore && !summary) return null
  return (
    <div className="flex flex-col items-center gap-3 py-4">
      {summary && <p className="text-14 text-ink-muted">{summary}</p>}
      {hasMore && (
        <Button isBusy={isLoading} onClick={onLoadMore}>
          Show more
        </Button>
      )}
    </div>
  )
}
