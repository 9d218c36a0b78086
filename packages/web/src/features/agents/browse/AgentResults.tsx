import { useInfiniteQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { Select } from '../../../components/inputs.tsx'
import { LoadMore } from '../../../components/LoadMore.tsx'
import { CardGridSkeleton, Skeleton } from '../../../components/Skeleton.tsx'
import { agentSearchQuery } from '../../../data/agents/agents.ts'
import { sortLabels, toAgentFilter } from '../../../data/agents/browse-search.ts'
import { cx } from '../../../design/cx.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { ListedAgent } from './ListedAgent.tsx'
import { NoAgents } from './NoAgents.tsx'
import { useBrowseSearch } from './useBrowseSearch.ts'

const sorts = Object.entries(sortLabels)

/** The agents that fit, how many there are, and their order. */
export function AgentResults() {
  const [search, change] = useBrowseSearch()
  const found = useInfiniteQuery(agentSearchQuery(useClient(), toAgentFilter(search)))
  const agents = found.data?.pages.flatMap((page) => page.agents)
  const last = found.data?.pages.at(-1)
  const count = last && countOf(last)
  return (
    <section aria-label="Agents" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-14 text-ink-muted">
          {count ?? (found.error ? '' : <Skeleton className="h-5 w-20" />)}
        </p>
        <Select
          aria-label="Sort by"
          className="w-44"
          value={search.sort ?? (search.q ? '' : 'rating')}
          onChange={({ target }) => change({ sort: target.value || undefined })}
        >
          {search.q && <option value="">Best match</option>}
          {sorts.map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
      {!agents && !found.error && <CardGridSkeleton count={9} className="h-[17.6875rem]" />}
      {agents?.length === 0 && <NoAgents search={search} />}
      {agents && agents.length > 0 && (
        <ul
          aria-busy={found.isPlaceholderData}
          className={cx(
            'grid gap-4 transition-opacity sm:grid-cols-2 lg:grid-cols-3',
            found.isPlaceholderData && 'opacity-60',
          )}
        >
          {agents.map((agent) => (
            <li key={agent.id} className="min-w-0">
              <ListedAgent agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {agents && found.hasNextPage && (
        <LoadMore
          hasMore
          isLoading={found.isFetchingNextPage}
          onLoadMore={() => found.fetchNextPage()}
          summary={`${agents.length} of ${count}`}
        />
      )}
    </section>
  )
}

function countOf({ total, totalIsEstimate }: { total: number; totalIsEstimate: boolean }): string {
  const number = total.toLocaleString('en')
  return `${totalIsEstimate ? 'about ' : ''}${number} ${total === 1 ? 'agent' : 'agents'}`
}
