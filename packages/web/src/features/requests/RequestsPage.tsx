import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { Button } from '../../components/buttons/Button.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { PagedRows } from '../../components/lists/PagedRows.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { requestsQuery } from '../../data/account/request-log.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { RequestFilters } from './RequestFilters.tsx'
import { RequestTable } from './RequestTable.tsx'
import { filterOf } from './request-search.ts'

export function RequestsPage() {
  return (
    <RequireOwner what="your API requests">
      <Requests />
    </RequireOwner>
  )
}

/** Requests of the owner's programs. Every response has the id by which they are found. */
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
        hint="Requests made with your API keys and by connected apps. What they send and receive is not stored."
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
      <PagedRows
        list={list}
        rows={rows}
        empty={
          isFiltered ? (
            <EmptyState
              title="No matching requests"
              icon={<ScrollText aria-hidden />}
              action={<Button onClick={() => navigate({ search: {} })}>Show all requests</Button>}
            >
              Requests are kept for a few days. Those with an invalid key are not recorded.
            </EmptyState>
          ) : (
            <EmptyState
              title="No requests yet"
              icon={<ScrollText aria-hidden />}
              action={<ButtonLink to="/developers">Make the first one</ButtonLink>}
            >
              Requests made with your keys appear here, with their status, duration and the key used.
            </EmptyState>
          )
        }
      >
        {(shown) => <RequestTable rows={shown} />}
      </PagedRows>
    </div>
  )
}
