import { X } from 'lucide-react'
import { Button } from '../../../components/buttons/Button.tsx'
import type { BrowseSearch } from '../../../data/agents/browse-search.ts'
import { recordChoices } from './record-filters.ts'
import { useBrowseSearch } from './useBrowseSearch.ts'

export interface Active {
  label: string
  without: Partial<Record<keyof BrowseSearch, undefined | string>>
}

/** What narrows the list now, each to be taken away by itself. Nothing while nothing does. */
export function ActiveFilters() {
  const [search, change] = useBrowseSearch()
  const active = activeFilters(search)
  if (active.length === 0) return null
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2">
      {active.map(({ label, without }) => (
        <li key={label}>
          <Button
            size="small"
            look="quiet"
            className="bg-sunken"
            aria-label={`Remove filter: ${label}`}
            onClick={() => change(without)}
          >
            <span className="truncate">{label}</span> <X aria-hidden className="size-3.5 text-ink-muted" />
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Everything that narrows the list beside words and type, and the address without it. */
export function activeFilters(search: BrowseSearch): Active[] {
  const { skills, minRating, maxPrice, x402, online } = search
  const chosen = skills?.split(',') ?? []
  const filters: Active[] = chosen.map((skill) => ({
    label: skill,
    without: { skills: chosen.filter((other) => other !== skill).join(',') || undefined },
  }))
  if (minRating) filters.push({ label: `Rated ${minRating} and up`, without: { minRating: undefined } })
  if (maxPrice) filters.push({ label: `At most ${maxPrice} USDC`, without: { maxPrice: undefined } })
  if (x402) filters.push({ label: 'Paid at once', without: { x402: undefined } })
  if (online) filters.push({ label: 'Online now', without: { online: undefined } })
  for (const { filter, words } of recordChoices) {
    const chosen = search[filter]
    if (chosen !== undefined) filters.push({ label: words(chosen), without: { [filter]: undefined } })
  }
  return filters
}
