import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { BrowseSearch } from '../../../data/agents/browse-search.ts'
import { cx } from '../../../design/cx.ts'

const MAX_CHIPS = 12

/** What kind of agent, one at a time. The one in the address bar is always among them. */
export function TypeChips({ types, chosen }: { types: readonly string[]; chosen: string | undefined }) {
  const shown = types.slice(0, MAX_CHIPS)
  const all = chosen === undefined || shown.includes(chosen) ? shown : [chosen, ...shown]
  return (
    <nav aria-label="Type of agent" className="relative -mx-4 -my-1 overflow-x-auto px-4 sm:-mx-6 sm:px-6">
      <ul className="flex min-h-11 w-max items-center gap-2">
        <li>
          <Chip type={undefined} isChosen={chosen === undefined}>
            All
          </Chip>
        </li>
        {all.map((type) => (
          <li key={type}>
            <Chip type={type} isChosen={type === chosen}>
              {type}
            </Chip>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface ChipProps {
  type: string | undefined
  isChosen: boolean
  children: ReactNode
}

function Chip({ type, isChosen, children }: ChipProps) {
  return (
    <Link
      to="/"
      search={({ type: _, ...others }: BrowseSearch) => (type === undefined ? others : { ...others, type })}
      resetScroll={false}
      aria-current={isChosen ? 'true' : undefined}
      className={cx(
        'relative inline-flex min-h-8 items-center rounded-pill border px-3 text-14 whitespace-nowrap transition-colors after:absolute after:-inset-y-1.5 after:inset-x-0',
        isChosen ? 'border-ink bg-ink text-ground' : 'border-line bg-surface text-ink-muted hover:text-ink',
      )}
    >
      <span className="block max-w-48 truncate first-letter:uppercase">{children}</span>
    </Link>
  )
}
