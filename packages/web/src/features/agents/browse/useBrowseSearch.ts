import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type BrowseSearch, parseBrowseSearch } from '../../../data/agents/browse-search.ts'

type Change = Partial<Record<keyof BrowseSearch, BrowseSearch[keyof BrowseSearch] | undefined>>

/** The filters in the address bar. Typing on rewrites the newest entry of the history; every other choice adds one. */
export function useBrowseSearch(): [search: BrowseSearch, change: (change: Change) => void] {
  // The router passes on what the route left out: what makes no sense is dropped here again.
  const given = useSearch({ from: '/' })
  const search = useMemo(() => parseBrowseSearch({ ...given }), [given])
  const navigate = useNavigate({ from: '/' })
  const router = useRouter()
  const change = useCallback(
    (changes: Change) => {
      // Opening an agent while typing cancels the delayed search, which would navigate back.
      if (router.latestLocation.pathname !== '/') return
      navigate({
        search: (before: BrowseSearch) => parseBrowseSearch({ ...before, ...changes }),
        replace: 'q' in changes && new URLSearchParams(location.search).has('q'),
        resetScroll: false,
      })
    },
    [navigate, router],
  )
  return [search, change]
}
