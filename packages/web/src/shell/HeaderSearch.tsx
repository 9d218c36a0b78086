import { SEARCH_TEXT_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'

/** Search from anywhere. On small screens the browse page's own field is enough. */
export function HeaderSearch() {
  const navigate = useNavigate()
  return (
    <search className="mr-2 hidden lg:block">
      <form
        className="relative"
        onSubmit={(event) => {
          event.preventDefault()
          const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
          navigate({ to: '/', search: q === '' ? {} : { q } })
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-ink-faint" />
        <input
          type="search"
          name="q"
          aria-label="Search agents"
          placeholder="Search agents"
          maxLength={SEARCH_TEXT_MAX_LENGTH}
          className="h-10 w-40 rounded-box border border-line bg-surface pr-8 pl-9 text-14 xl:w-48 placeholder:text-ink-faint"
        />
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-2.5 right-2.5 rounded-[6px] border border-line px-1.5 font-mono text-12 leading-4.5 text-ink-faint"
        >
          /
        </kbd>
      </form>
    </search>
  )
}
