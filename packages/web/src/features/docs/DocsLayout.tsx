import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { docsIndexQuery } from '../../data/docs.ts'
import { cx } from '../../design/cx.ts'
import { DocsNav } from './DocsNav.tsx'
import { DocsSearch } from './search/DocsSearch.tsx'

/** The contents and the search, beside each page of the documentation. */
export function DocsLayout() {
  const { data: index } = useQuery(docsIndexQuery())
  return (
    <div className="flex flex-col gap-8 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-12">
      <div className="flex flex-col gap-2 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:self-start print:hidden">
        <DocsSearch index={index} />
        <SmallContents>{index && <DocsNav index={index} />}</SmallContents>
        <div className="-mx-2 hidden overflow-y-auto px-2 pb-8 lg:block">
          {index ? <DocsNav index={index} /> : <Skeleton className="mt-4 h-96" />}
        </div>
      </div>
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  )
}

/** On a small screen the contents are behind a button, and close when a page was chosen. */
function SmallContents({ children }: { children: React.ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const { pathname, hash } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is open
  useEffect(() => setIsOpen(false), [pathname, hash])
  return (
    <div className="lg:hidden">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-11 w-full items-center justify-between rounded-box border border-line bg-surface px-3 text-14"
      >
        Contents
        <ChevronDown aria-hidden className={cx('size-4 text-ink-muted', isOpen && 'rotate-180')} />
      </button>
      {isOpen && <div className="mt-2 rounded-box border border-line bg-surface px-4 pb-4">{children}</div>}
    </div>
  )
}
