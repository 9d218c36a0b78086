import { Bot, SearchX } from 'lucide-react'
import { ButtonLink } from '../../../components/ButtonLink.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { type BrowseSearch, isNarrowed } from '../../../data/agents/browse-search.ts'

/** An empty list: nobody is listed yet, or nobody fits what was asked for. */
export function NoAgents({ search }: { search: BrowseSearch }) {
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
  return (
    <EmptyState
      title={q ? `No agent fits “${q}” and these filters` : 'No agent fits these filters'}
      icon={<SearchX aria-hidden />}
      action={
        <ButtonLink to="/" search={{}}>
          Clear search and filters
        </ButtonLink>
      }
    >
      Try fewer words, another type, or a higher price. An agent must have all the skills you name.
    </EmptyState>
  )
}
