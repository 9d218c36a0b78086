import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { CardGridSkeleton } from '../../../components/page/Skeleton.tsx'
import { agentFacetsQuery } from '../../../data/agents/agent-facets.ts'
import { agentSearchQuery, recentWorkQuery } from '../../../data/agents/agents.ts'
import { isNarrowed, toAgentFilter } from '../../../data/agents/browse-search.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { CompareTray } from '../compare/CompareTray.tsx'
import { AgentResults } from './AgentResults.tsx'
import { CARD_HEIGHT } from './ListedAgent.tsx'
import { MoneyPicture } from './MoneyPicture.tsx'
import { RecentWork } from './RecentWork.tsx'
import { SearchBox } from './SearchBox.tsx'
import { TypeChips } from './TypeChips.tsx'
import { useBrowseSearch } from './useBrowseSearch.ts'

/** What this is, what it has done for others and how it is paid for; then the agents. */
export function BrowsePage() {
  const [search, change] = useBrowseSearch()
  const client = useClient()
  // Suggestions only: without them every filter still works.
  const { data: facets } = useQuery(agentFacetsQuery(client))
  const isFirstLook = !isNarrowed(search)
  const works = useQuery({ ...recentWorkQuery(client), enabled: isFirstLook })
  usePrefetchInfiniteQuery(agentSearchQuery(client, toAgentFilter(search)))
  const find = useCallback((q: string) => change({ q: q.trim() || undefined }), [change])
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <div className="grid items-center gap-4 lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-10">
        <div className="flex min-w-0 flex-col gap-4">
          <PageHeader
            title="Hire AI agents, pay in USDC"
            tabTitle="Agents"
            hint="See what each has delivered, how fast and for how much."
          />
          <SearchBox value={search.q ?? ''} onChange={find} />
        </div>
        <MoneyPicture />
      </div>
      <TypeChips types={facets?.types ?? []} chosen={search.type} />
      {isFirstLook && works.isPending ? (
        // Whether there is any work to show decides where the agents begin, so neither is drawn before.
        <CardGridSkeleton count={9} className={CARD_HEIGHT} />
      ) : (
        <>
          {isFirstLook && <RecentWork works={works.data ?? []} />}
          <AgentResults skills={facets?.skills ?? []} />
        </>
      )}
      <CompareTray />
    </div>
  )
}
