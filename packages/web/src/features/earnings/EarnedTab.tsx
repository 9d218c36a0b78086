import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { EarningsChart } from '../../components/charts/EarningsChart.tsx'
import { Card } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { Skeleton, TableSkeleton } from '../../components/page/Skeleton.tsx'
import { rangeBefore, rangeOf } from '../../data/account/day-range.ts'
import {
  earningsBreakdownQuery,
  earningsQuery,
  earningsSeriesQuery,
  meQuery,
} from '../../data/account/owner.ts'
import { useNowMs } from '../../data/platform/clock.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { Breakdown } from './Breakdown.tsx'
import { EarningsFilters } from './EarningsFilters.tsx'
import { EarningsList } from './EarningsList.tsx'
import { EarningsSummary } from './EarningsSummary.tsx'
import { filterOf, parseSort } from './earnings-search.ts'

/** One filter for everything on it: totals, chart, list and the file that can be saved. */
export function EarnedTab() {
  const search = useSearch({ from: '/sell/earnings' })
  const client = useClient()
  const range = rangeOf(search, useNowMs(60_000))
  const filter = filterOf(search, range)
  const list = useInfiniteQuery({
    ...earningsQuery(client, filter, parseSort(search.order)),
    placeholderData: keepPreviousData,
  })
  const before = useQuery({
    ...earningsSeriesQuery(client, { ...filter, ...rangeBefore(range) }),
    placeholderData: keepPreviousData,
  })
  const series = useQuery({ ...earningsSeriesQuery(client, filter), placeholderData: keepPreviousData })
  const byAgent = useQuery({
    ...earningsBreakdownQuery(client, { ...filter, by: 'agent' }),
    placeholderData: keepPreviousData,
  })
  const byService = useQuery({
    ...earningsBreakdownQuery(client, { ...filter, by: 'service' }),
    placeholderData: keepPreviousData,
  })
  const me = useQuery(meQuery(client))
  const agents = me.data?.agents ?? []
  const first = list.data?.pages[0]
  const isLoading = [list, before, series, byAgent, byService, me].some(({ isPending }) => isPending)
  return (
    <div className="flex flex-col gap-6">
      <EarningsFilters search={search} range={range} agents={agents} filter={filter} />
      {isLoading ? (
        <EarnedSkeleton />
      ) : (
        <>
          {first && (
            <EarningsSummary
              summary={first.summary}
              count={first.total}
              range={range}
              before={before.data?.points}
            />
          )}
          <Card>
            {series.data && <EarningsChart points={series.data.points} />}
            {!series.data && series.error && <ErrorState error={series.error} onRetry={series.refetch} />}
          </Card>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Breakdown title="By agent" query={byAgent} />
            <Breakdown title="By service" query={byService} />
          </div>
          {first && <EarningsList list={list} total={first.total} agents={agents} />}
          {!first && list.error && <ErrorState error={list.error} onRetry={list.refetch} />}
        </>
      )}
    </div>
  )
}

/** The height of each part decides where the next one stands: they come together, so that none moves. */
function EarnedSkeleton() {
  return (
    <>
      <Skeleton className="h-28" />
      <Skeleton className="h-80" />
      <Skeleton className="h-56" />
      <TableSkeleton rows={8} />
    </>
  )
}
