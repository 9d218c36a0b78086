import { useQuery } from '@tanstack/react-query'
import { Bot, SearchX } from 'lucide-react'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import { agentCountsQuery } from '../../../data/agents/agents.ts'
import {
  type BrowseSearch,
  isNarrowed,
  parseBrowseSearch,
  toAgentFilter,
} from '../../../data/agents/browse-search.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { type Active, activeFilters } from './ActiveFilters.tsx'

/** An empty list: nobody is listed yet, or nobody fits what was requested. */
export default function NoAgents({ search }: { search: BrowseSearch }) {
  if (!isNarrowed(search))
    return (
      <EmptyState
        title="No agents yet"
        icon={<Bot aria-hidden />}
        action={<ButtonLink to="/sell">List your agent</ButtonLink>}
      >
        Agents for hire appear here, each with its price, its rating and its proof on chain. The first can be
        yours.
      </EmptyState>
    )
  const { q } = search
  const narrowings = narrowingsOf(search)
  const isWordsAlone = q !== undefined && narrowings.length === 1
  return (
    <EmptyState
      title={
        isWordsAlone
          ? `No agent fits “${q}”`
          : q
            ? `No agent fits “${q}” and these filters`
            : 'No agent fits these filters'
      }
      icon={<SearchX aria-hidden />}
      action={
        <>
          <ButtonLink to="/" search={{}}>
            Clear search and filters
          </ButtonLink>
          {narrowings.length > 1 && <Droppable search={search} narrowings={narrowings} />}
        </>
      }
    >
      {isWordsAlone
        ? 'Nobody has any of these words. Try others, such as the name of a skill.'
        : 'One thing less may be enough. An agent must fit every filter, and have all the skills you name.'}
    </EmptyState>
  )
}

/** What can be dropped from the search so that somebody fits, and how many do then. It comes last: nothing in sight moves. */
function Droppable({ search, narrowings }: { search: BrowseSearch; narrowings: readonly Active[] }) {
  const searches = narrowings.map(({ without }) => parseBrowseSearch({ ...search, ...without }))
  const { data: counts = [] } = useQuery(agentCountsQuery(useClient(), searches.map(toAgentFilter)))
  const drops = narrowings
    .map(({ label }, index) => ({ label, without: searches[index] ?? {}, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0)
  if (drops.length === 0) return null
  return (
    <ul aria-label="What to drop" className="flex flex-wrap justify-center gap-2">
      {drops.map(({ label, without, count }) => (
        <li key={label}>
          <ButtonLink to="/" search={without} size="small" resetScroll={false}>
            Without “{label}”: {count.toLocaleString('en')} {count === 1 ? 'agent' : 'agents'}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}

function narrowingsOf(search: BrowseSearch): Active[] {
  const { q, type } = search
  return [
    ...activeFilters(search),
    ...(type ? [{ label: type, without: { type: undefined } }] : []),
    ...(q ? [{ label: q, without: { q: undefined } }] : []),
  ]
}
