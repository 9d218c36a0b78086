import { Button } from '../buttons/Button.tsx'

interface LoadMoreProps {
  list: {
    data: { pages: readonly unknown[] } | undefined
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
  /** "24 of 61 agents" */
  summary?: string | undefined
}

/**
 * The end of a list that goes on. A button and not endless scrolling, so that the footer stays in reach. With the last page
 * the button goes, and its focus goes to the line that is left. A list of one page has neither.
 */
export function LoadMore({ list, summary }: LoadMoreProps) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const isReadToItsEnd = !hasNextPage && data !== undefined && data.pages.length > 1
  const line = summary ?? (isReadToItsEnd ? 'All are shown.' : undefined)
  if (!hasNextPage && !line) return null
  return (
    <div className="flex flex-col items-center gap-3 py-4">
      {line && (
        <p tabIndex={-1} className="text-14 text-ink-muted">
          {line}
        </p>
      )}
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  )
}
