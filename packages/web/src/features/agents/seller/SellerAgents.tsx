import type { DataOf } from '@agent-marketplace/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Section } from '../../../components/page/Card.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { AgentPages } from '../browse/AgentPages.tsx'

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
      <AgentPages
        label="Agents of this seller"
        found={found}
        agents={agents.map((agent) => ({ agent }))}
        total={total}
      />
    </Section>
  )
}
