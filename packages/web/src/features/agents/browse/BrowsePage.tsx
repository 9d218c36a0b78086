import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { PageHeader } from '../../../components/PageHeader.tsx'
import { agentFacetsQuery } from '../../../data/agents/agent-facets.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { ActiveFilters } from './ActiveFilters.tsx'
import { AgentResults } from './AgentResults.tsx'
import { Filters } from './Filters.tsx'
import { Intro } from './Intro.tsx'
import { SearchBox } from './SearchBox.tsx'
import { TypeChips } from './TypeChips.tsx'
import { useBrowseSearch } from './useBrowseSearch.ts'

export function BrowsePage() {
  const [search, change] = useBrowseSearch()
  // Suggestions only: without them every filter still works.
  const { data: facets } = useQuery(agentFacetsQuery(useClient()))
  const find = useCallback((q: string) => change({ q: q.trim() || undefined }), [change])
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Agents" />
      <Intro />
      <div className="flex flex-col gap-3">
        <SearchBox value={search.q ?? ''} onChange={find} />
        <TypeChips types={facets?.types ?? []} chosen={search.type} />
        <Filters skills={facets?.skills ?? []} />
        <ActiveFilters />
      </div>
      <AgentResults />
    </div>
  )
}
