import { Button } from '../../../components/buttons/Button.tsx'

interface ShowEarlierProps {
  /** What there is more of. */
  what: string
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** Above a log whose newest line is last. */
export function ShowEarlier({ what, query }: ShowEarlierProps) {
  if (!query.hasNextPage) return null
  return (
    <Button
      size="small"
      look="quiet"
      className="self-center"
      isBusy={query.isFetchingNextPage}
      onClick={() => query.fetchNextPage()}
    >
      Show earlier {what}
    </Button>
  )
}
