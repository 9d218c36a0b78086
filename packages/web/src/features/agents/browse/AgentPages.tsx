import type { AgentSummary } from '@agent-marketplace/contract'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { LoadMore } from '../../../components/lists/LoadMore.tsx'
import { ListedAgent } from './ListedAgent.tsx'

interface AgentPagesProps {
  label: string
  found: UseInfiniteQueryResult<InfiniteData<unknown>>
  agents: readonly { agent: AgentSummary; listed?: boolean }[]
  total: number
}

/** Cards of agents that come page by page. */
export function AgentPages({ label, found, agents, total }: AgentPagesProps) {
  return (
    <>
      <ul aria-label={label} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
        {agents.map(({ agent, listed }) => (
          <li key={agent.id} className="min-w-0">
            <ListedAgent agent={agent} {...(listed === undefined ? {} : { isListed: listed })} />
          </li>
        ))}
      </ul>
      <LoadMore
        list={found}
        summary={found.hasNextPage ? `${agents.length} of ${total.toLocaleString('en')} agents` : undefined}
      />
    </>
  )
}
