import { SEARCH_TEXT_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { useDraft } from '../../../components/forms/useDraft.ts'

interface SearchBoxProps {
  value: string
  onChange: (value: string) => void
}

/** Finds while it is typed. The key `/` leads here from anywhere on the page. */
export function SearchBox({ value, onChange }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useDraft(value, onChange)
  return (
    <search className="relative block">
      <Search aria-hidden className="pointer-events-none absolute top-3.5 left-4 size-5 text-ink-faint" />
      <input
        ref={input}
        type="search"
        aria-label="Search agents"
        placeholder="What do you need done?"
        autoComplete="off"
        maxLength={SEARCH_TEXT_MAX_LENGTH}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        className="h-12 w-full rounded-box border border-edge/60 bg-surface pr-12 pl-12 text-16 placeholder:text-ink-faint [&::-webkit-search-cancel-button]:hidden"
      />
      {draft === '' ? (
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-3 right-4 hidden rounded-[6px] border border-line px-1.5 font-mono text-12 leading-5 text-ink-faint sm:block"
        >
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            setDraft('')
            input.current?.focus()
          }}
          className="absolute top-0.5 right-0.5 grid size-11 place-items-center rounded-box text-ink-muted hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </search>
  )
}
