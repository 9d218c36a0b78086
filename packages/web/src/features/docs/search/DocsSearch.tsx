import type { DocsIndex } from '@agent-marketplace/contract'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { cx } from '../../../design/cx.ts'
import { type Entry, entriesOf, searchDocs } from './search-docs.ts'

/** Searches guides, calls and errors as one types, without asking the service. */
export function DocsSearch({ index }: { index: DocsIndex | undefined }) {
  const id = useId()
  const navigate = useNavigate()
  const entries = useMemo(() => (index ? entriesOf(index) : []), [index])
  const [query, setQuery] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const found = useMemo(() => searchDocs(entries, query), [entries, query])
  const shows = isOpen && query.trim() !== ''

  const open = (entry: Entry | undefined) => {
    if (!entry) return
    setIsOpen(false)
    setQuery('')
    const [to, hash] = entry.path.split('#')
    navigate({ to: to ?? '/docs', ...(hash ? { hash } : {}) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setIsOpen(false)
    else if (event.key === 'Enter') open(found[chosen])
    else if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0))
    else return
    event.preventDefault()
  }

  return (
    <search className="relative">
      <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3 size-4 text-ink-faint" />
      <input
        type="search"
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded={shows && found.length > 0}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={shows && found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="Search"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setIsOpen(true)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
        onFocus={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        className="h-11 w-full rounded-box border border-edge bg-surface pr-8 pl-9 text-14 placeholder:text-ink-faint"
      />
      <kbd className="pointer-events-none absolute top-3 right-3 hidden font-mono text-12 text-ink-faint lg:block">
        /
      </kbd>
      <div
        className={cx(
          'absolute top-12 left-0 z-10 w-full min-w-0 overflow-hidden rounded-box border border-line bg-surface shadow-lift lg:w-[28rem]',
          !shows && 'hidden',
        )}
      >
        {found.length === 0 && (
          <p role="status" className="p-4 text-14 text-ink-muted">
            {index ? 'Nothing has all of these words.' : 'The contents are loading.'}
          </p>
        )}
        <div
          role="listbox"
          id={`${id}-found`}
          aria-label="Found"
          hidden={found.length === 0}
          className="max-h-[min(28rem,60dvh)] overflow-y-auto"
        >
          {found.map((entry, place) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen one
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            <div
              key={entry.path}
              role="option"
              id={`${id}-${place}`}
              aria-selected={place === chosen}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => open(entry)}
              onPointerMove={() => setChosen(place)}
              className={cx('cursor-pointer px-4 py-2', place === chosen && 'bg-sunken')}
            >
              <span className="block text-14 font-medium">{entry.title}</span>
              <span className="block text-12 text-ink-muted">{entry.context}</span>
            </div>
          ))}
        </div>
      </div>
    </search>
  )
}
