import type { AgentSummary } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Select } from '../../../components/forms/inputs.tsx'
import { LoadMore } from '../../../components/lists/LoadMore.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { CardGridSkeleton, Skeleton } from '../../../components/page/Skeleton.tsx'
import { agentSearchQuery } from '../../../data/agents/agents.ts'
import { sortLabels, toAgentFilter } from '../../../data/agents/browse-search.ts'
import { lazyPart } from '../../../data/connection/load-code.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { ActiveFilters } from './ActiveFilters.tsx'
import { Filters } from './Filters.tsx'
import { CARD_HEIGHT, ListedAgent } from './ListedAgent.tsx'
import { useBrowseSearch } from './useBrowseSearch.ts'

const NoAgents = lazyPart(() => import('./NoAgents.tsx'))

const sorts = Object.entries(sortLabels)

/** The agents that fit, how many there are, and their order. */
export function AgentResults({ skills }: { skills: readonly string[] }) {
  const [search, change] = useBrowseSearch()
  const found = useInfiniteQuery(agentSearchQuery(useClient(), toAgentFilter(search)))
  const agents = found.data?.pages.flatMap((page) => page.agents)
  const last = found.data?.pages.at(-1)
  const count = last && countOf(last)
  const border = last && !last.totalIsEstimate ? last.fullMatches : undefined
  const full = agents?.slice(0, border) ?? []
  const closest = agents?.slice(full.length) ?? []
  return (
    <section aria-label="Agents" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" tabIndex={-1} className="w-full text-14 text-ink-muted sm:w-auto sm:flex-1">
          {count ?? (found.error ? '' : <Skeleton className="h-5 w-20" />)}
        </p>
        <Select
          aria-label="Sort by"
          className="flex-1 sm:w-44 sm:flex-none"
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
        <Filters skills={skills} />
      </div>
      <ActiveFilters />
      {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
      {!agents && !found.error && <CardGridSkeleton count={9} className={CARD_HEIGHT} />}
      {agents?.length === 0 && (
        <Suspense fallback={<Skeleton className="h-72" />}>
          <NoAgents search={search} />
        </Suspense>
      )}
      {full.length > 0 && <AgentGrid agents={full} isOld={found.isPlaceholderData} />}
      {closest.length > 0 && (
        <>
          <div>
            <h2 className="font-medium">Closest matches</h2>
            <p className="text-14 text-ink-muted">They have some of your words, or words like them.</p>
          </div>
          <AgentGrid agents={closest} isOld={found.isPlaceholderData} />
        </>
      )}
      {agents && (
        <LoadMore list={found} summary={found.hasNextPage ? `${agents.length} of ${count}` : undefined} />
      )}
    </section>
  )
}

interface AgentGridProps {
  agents: readonly AgentSummary[]
  /** The agents of the search before, until those of this one are there. */
  isOld: boolean
}

function AgentGrid({ agents, isOld }: AgentGridProps) {
  return (
    <ul aria-busy={isOld} className="busy-line grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
      {agents.map((agent) => (
        <li key={agent.id} className="min-w-0">
          <ListedAgent agent={agent} />
        </li>
      ))}
    </ul>
  )
}

interface Counts {
  total: number
  totalIsEstimate: boolean
  fullMatches: number
}

function countOf({ total, totalIsEstimate, fullMatches }: Counts): string {
  const number = (count: number) => count.toLocaleString('en')
  const all = `${totalIsEstimate ? 'about ' : ''}${number(total)} ${total === 1 ? 'agent' : 'agents'}`
  if (fullMatches >= total) return all
  return `${all}, ${fullMatches === 0 ? 'none' : number(fullMatches)} with all your words`
}
