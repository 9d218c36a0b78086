import type { DataOf } from '@agent-marketplace/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Section } from '../../../components/Card.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { LoadMore } from '../../../components/LoadMore.tsx'
import { ListedAgent } from '../browse/ListedAgent.tsx'

interface SellerAgentsProps {
  found: UseInfiniteQueryResult<InfiniteData<DataOf<'listSellerAgents'>>>
}

export function SellerAgents({ found }: SellerAgentsProps) {
  const agents = found.data?.pages.flatMap((page) => page.agents) ?? []
  const total = found.data?.pages.at(-1)?.total ?? 0
  return (
    <Section title="Agents">
      {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
      {found.data && agents.length === 0 && (
        <EmptyState title="No agents listed">
          None of this seller’s agents can be hired at the moment.
        </EmptyState>
      )}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
        {agents.map((agent) => (
          <li key={agent.id} className="min-w-0">
            <ListedAgent agent={agent} />
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <LoadMore
          hasMore
          isLoading={found.isFetchingNextPage}
          onLoadMore={() => found.fetchNextPage()}
          summary={`${agents.length} of ${total.toLocaleString('en')} agents`}
        />
      )}
    </Section>
  )
}
