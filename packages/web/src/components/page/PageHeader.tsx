import { type ReactNode, useEffect, useRef } from 'react'

interface PageHeaderProps {
  title: string
  /** For the browser's tab, when the heading alone does not say enough. */
  tabTitle?: string
  /** What stands before the heading, for example an agent's mark. */
  lead?: ReactNode
  hint?: ReactNode
  actions?: ReactNode
  /** The page's h1 is for readers only; the tab title and the focus still use it. */
  isHidden?: boolean
}

/** The h1 of a page, its tab title, and the place where focus goes after a navigation. */
export function PageHeader({ title, tabTitle, lead, hint, actions, isHidden = false }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${tabTitle ?? title} · Agent Marketplace`
  }, [tabTitle, title])
  // The shell puts the focus on <main> when a page changes; the heading takes it over as soon as it is there.
  useEffect(() => {
    if (document.activeElement?.tagName === 'MAIN') heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header className={isHidden ? 'sr-only' : 'flex flex-wrap items-start justify-between gap-4'}>
      <div className="flex min-w-0 flex-1 basis-64 items-start gap-4 sm:items-center">
        {lead}
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="text-28 font-semibold wrap-anywhere">
            {title}
          </h1>
          {hint && <div className="max-w-3xl text-pretty text-ink-muted">{hint}</div>}
        </div>
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  )
}
