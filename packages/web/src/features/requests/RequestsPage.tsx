import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { Button } from '../../components/Button.tsx'
import { ButtonLink } from '../../components/ButtonLink.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { LoadMore } from '../../components/LoadMore.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TableSkeleton } from '../../components/Skeleton.tsx'
import { requestsQuery } from '../../data/account/request-log.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { RequestFilters } from './RequestFilters.tsx'
import { RequestTable } from './RequestTable.tsx'
import { filterOf } from './request-search.ts'

export function RequestsPage() {
  return (
    <RequireOwner what="the requests of your programs">
      <Requests />
    </RequireOwner>
  )
}

/** What one's programs have asked for, found by the request id that every response carries. */
function Requests() {
  const search = useSearch({ from: '/developers/requests' })
  const navigate = useNavigate({ from: '/developers/requests' })
  const filter = filterOf(search)
  const isFiltered = Object.keys(filter).length > 0
  const list = useInfiniteQuery({
    ...requestsQuery(useClient(), filter),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Requests"
        hint="What your API keys and connected apps have asked for. Nothing that was sent or returned is kept."
        actions={
          <Button isBusy={list.isRefetching} onClick={() => list.refetch()}>
            Refresh
          </Button>
        }
      />
      <RequestFilters
        search={search}
        onChange={(change) =>
          navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
        }
      />
      {!rows && list.error && <ErrorState error={list.error} onRetry={() => list.refetch()} />}
      {!rows && !list.error && <TableSkeleton rows={8} />}
      {rows?.length === 0 &&
        (isFiltered ? (
          <EmptyState title="No request fits" icon={<ScrollText aria-hidden />}>
            Requests are kept for some days. Those with a key that does not work are not in the list.
          </EmptyState>
        ) : (
          <EmptyState
            title="No requests yet"
            icon={<ScrollText aria-hidden />}
            action={<ButtonLink to="/developers">Make the first one</ButtonLink>}
          >
            Each request of a program appears here, with its status, its duration and the key that made it.
          </EmptyState>
        ))}
      {rows && rows.length > 0 && (
        <>
          <RequestTable rows={rows} />
          <LoadMore
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            onLoadMore={() => list.fetchNextPage()}
            summary={`${rows.length} shown`}
          />
        </>
      )}
    </div>
  )
}
