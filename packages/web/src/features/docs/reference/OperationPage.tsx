import { findOperation, type OpenApiDocument, type PlacedOperation } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { Loading, Skeleton, TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { openApiQuery } from '../../../data/docs.ts'
import { NotFound } from '../../../shell/RouteError.tsx'
import { OperationView } from './OperationView.tsx'

/** One call of the API. */
export function OperationPage() {
  const { operation: id } = useParams({ from: '/docs/reference/$operation' })
  const { data: document, error, refetch } = useQuery(openApiQuery())
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!document) return <OperationSkeleton />
  const operation = findOperation(document, id)
  return operation ? <Page key={id} document={document} operation={operation} /> : <NotFound />
}

function Page({ document, operation }: { document: OpenApiDocument; operation: PlacedOperation }) {
  return (
    <article className="flex max-w-[52rem] flex-col gap-10">
      <PageHeader
        title={operation.summary}
        actions={
          <a
            href={`/docs/reference/${operation.operationId}.md`}
            className="inline-flex min-h-11 items-center gap-2 text-14 text-ink-muted hover:text-ink print:hidden"
          >
            <FileText aria-hidden className="size-4" />
            Markdown
          </a>
        }
      />
      <OperationView document={document} operation={operation} />
    </article>
  )
}

function OperationSkeleton() {
  return (
    <Loading label="Loading" className="flex max-w-[52rem] flex-col gap-8">
      <Skeleton className="h-9 w-80 max-w-full" />
      <TextSkeleton lines={4} />
      <Skeleton className="h-64" />
    </Loading>
  )
}
