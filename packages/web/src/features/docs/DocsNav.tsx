import type { DocsGuide, DocsIndex, DocsTag } from '@agent-marketplace/contract'
import { Link, useLocation } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../../design/cx.ts'

const place =
  'flex min-h-11 items-center rounded-box px-2 py-1.5 text-14 text-ink-muted -outline-offset-2 hover:bg-sunken hover:text-ink lg:min-h-8 data-[status=active]:bg-sunken data-[status=active]:font-medium data-[status=active]:text-ink'

/** Everything that can be read here, with the page that is open unfolded. */
export function DocsNav({ index: { guides, reference } }: { index: DocsIndex }) {
  return (
    <nav aria-label="Documentation" className="flex flex-col">
      <Link to="/docs" activeOptions={{ exact: true }} className={cx(place, 'mt-2')}>
        Overview
      </Link>
      <Title>Guides</Title>
      <ul>
        {guides.map((guide) => (
          <GuidePlace key={guide.slug} guide={guide} />
        ))}
      </ul>
      <Title>Reference</Title>
      <ul>
        <li>
          <Link to="/docs/reference" activeOptions={{ exact: true }} className={place}>
            All calls
          </Link>
        </li>
        <li>
          <Link to="/docs/$guide" params={{ guide: 'errors' }} className={place}>
            Errors
          </Link>
        </li>
        {reference.map((tag) => (
          <TagPlace key={tag.tag} tag={tag} />
        ))}
      </ul>
    </nav>
  )
}

const Title = ({ children }: { children: string }) => (
  <p className="mt-4 mb-1 px-2 text-12 font-semibold text-ink-faint">{children}</p>
)

function GuidePlace({ guide: { slug, title, sections } }: { guide: DocsGuide }) {
  const isOpen = useLocation().pathname === `/docs/${slug}`
  return (
    <li>
      <Link to="/docs/$guide" params={{ guide: slug }} className={place}>
        {title}
      </Link>
      {isOpen && (
        <ul className="mb-1 ml-3 hidden border-l border-line pl-1 lg:block">
          {sections.map((section) => (
            <li key={section.id}>
              <a
                href={`#${section.id}`}
                className="flex min-h-8 items-center rounded-box px-2 text-14 text-ink-muted -outline-offset-2 hover:text-ink"
              >
                {section.title}
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function TagPlace({ tag: { tag, operations } }: { tag: DocsTag }) {
  const { pathname } = useLocation()
  const isHere = operations.some(({ id }) => pathname === `/docs/reference/${id}`)
  const [choice, setChoice] = useState<boolean>()
  const isOpen = choice ?? isHere
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChoice(!isOpen)}
        className={cx(place, 'w-full justify-between')}
      >
        {tag}
        <ChevronRight aria-hidden className={cx('size-4', isOpen && 'rotate-90')} />
      </button>
      {isOpen && (
        <ul className="mb-1 ml-3 border-l border-line pl-1">
          {operations.map(({ id, summary }) => (
            <li key={id}>
              <Link to="/docs/reference/$operation" params={{ operation: id }} className={place}>
                {summary}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
