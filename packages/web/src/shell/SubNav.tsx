import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

interface Place {
  to: LinkProps['to']
  label: string
}

/** The pages of one area, above their content. The first is the area's home. */
export function SubNav({ label, places }: { label: string; places: readonly Place[] }) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone the row is longer than the screen: the page that is open must be seen in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another open page
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[data-status=active]')
    if (nav.current && open)
      nav.current.scrollLeft = open.offsetLeft - (nav.current.clientWidth - open.offsetWidth) / 2
  }, [pathname])
  return (
    <nav ref={nav} aria-label={label} className="relative -mx-4 mb-8 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul className="flex w-max gap-1">
        {places.map((place, index) => (
          <li key={place.label}>
            <Link
              to={place.to}
              activeOptions={{ exact: index === 0 }}
              className="flex min-h-11 items-center rounded-box px-3 text-14 whitespace-nowrap text-ink-muted -outline-offset-2 hover:bg-sunken hover:text-ink data-[status=active]:bg-sunken data-[status=active]:font-medium data-[status=active]:text-ink"
            >
              {place.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
