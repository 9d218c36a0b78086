import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { isNarrowed } from '../../../data/agents/browse-search.ts'
import { lazyPart } from '../../../data/connection/load-code.ts'
import { useBrowseSearch } from './useBrowseSearch.ts'

const FilterFields = lazyPart(() => import('./FilterFields.tsx'))

/** Folded until somebody narrows the list, because the agents should come first. */
export function Filters({ skills }: { skills: readonly string[] }) {
  const [{ q: _, type: __, ...filters }] = useBrowseSearch()
  const [isOpen, setIsOpen] = useState(() => isNarrowed(filters))
  return (
    <>
      <Button
        aria-expanded={isOpen}
        aria-controls={isOpen ? 'agent-filters' : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <SlidersHorizontal aria-hidden className="size-4 max-sm:hidden" />
        {isOpen ? 'Hide filters' : 'Filters'}
      </Button>
      {isOpen && (
        <Suspense fallback={<Skeleton className="h-72 w-full lg:h-36" />}>
          <FilterFields skills={skills} />
        </Suspense>
      )}
    </>
  )
}
