import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, FileText } from 'lucide-react'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { Loading, Skeleton, TextSkeleton } from '../../components/page/Skeleton.tsx'
import { docsIndexQuery, guideQuery } from '../../data/docs.ts'
import { NotFound } from '../../shell/RouteError.tsx'
import { GuideText } from './text/GuideText.tsx'

/** A guide, or the page of all errors: both are Markdown that the service writes. */
export function GuidePage() {
  const { guide: slug } = useParams({ from: '/docs/$guide' })
  const { data: index } = useQuery(docsIndexQuery())
  const isKnown = slug === 'errors' || index?.guides.some((guide) => guide.slug === slug)
  const { data: text, error, refetch } = useQuery({ ...guideQuery(slug), enabled: isKnown === true })
  if (isKnown === false) return <NotFound />
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (text === undefined) return <GuideSkeleton />
  return (
    <article className="flex flex-col gap-10">
      <GuideText
        key={slug}
        text={text}
        actions={
          <a
            href={`/docs/${slug}.md`}
            className="inline-flex min-h-11 items-center gap-2 text-14 text-ink-muted hover:text-ink print:hidden"
          >
            <FileText aria-hidden className="size-4" />
            Markdown
          </a>
        }
      />
      <Neighbours slug={slug} />
    </article>
  )
}

/** The guide before this one, and the one after it. */
function Neighbours({ slug }: { slug: string }) {
  const { data: index } = useQuery(docsIndexQuery())
  const guides = index?.guides ?? []
  const place = guides.findIndex((guide) => guide.slug === slug)
  if (place < 0) return null
  const [before, after] = [guides[place - 1], guides[place + 1]]
  const link = 'inline-flex min-h-11 items-center gap-2 text-14 hover:underline underline-offset-4'
  return (
    <nav
      aria-label="Other guides"
      className="flex max-w-[44rem] flex-wrap justify-between gap-4 border-t border-line pt-4"
    >
      {before && (
        <Link to="/docs/$guide" params={{ guide: before.slug }} className={link}>
          <ArrowLeft aria-hidden className="size-4" />
          {before.title}
        </Link>
      )}
      {after && (
        <Link to="/docs/$guide" params={{ guide: after.slug }} className={`${link} ml-auto`}>
          {after.title}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      )}
    </nav>
  )
}

function GuideSkeleton() {
  return (
    <Loading label="Loading" className="flex max-w-[44rem] flex-col gap-8">
      <Skeleton className="h-9 w-80 max-w-full" />
      <TextSkeleton lines={3} />
      <Skeleton className="h-64" />
    </Loading>
  )
}
