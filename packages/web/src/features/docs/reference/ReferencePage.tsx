import { headingId } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Card } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { TableSkeleton } from '../../../components/page/Skeleton.tsx'
import { docsIndexQuery } from '../../../data/docs.ts'
import { InlineMarkdown } from '../text/InlineMarkdown.tsx'
import { Method } from './Method.tsx'

/** Every call of the API, by its subject. */
export function ReferencePage() {
  const { data: index, error, refetch } = useQuery(docsIndexQuery())
  return (
    <div className="flex flex-col gap-10">
      <PageHeader
        title="API reference"
        hint="Every call, made from the same contract that the service checks requests against. Amounts are micro-USDC as decimal strings: “1000000” is 1 USDC."
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!index && !error && <TableSkeleton rows={12} />}
      {index?.reference.map(({ tag, description, operations }) => (
        <section key={tag} className="flex flex-col gap-3">
          <div>
            <h2 id={headingId(tag)} className="text-20 font-semibold">
              {tag}
            </h2>
            <p className="text-14 text-ink-muted">
              <InlineMarkdown text={description} />
            </p>
          </div>
          <Card padding="none" className="overflow-hidden">
            <ul className="divide-y divide-line">
              {operations.map(({ id, method, path, summary }) => (
                <li key={id}>
                  <Link
                    to="/docs/reference/$operation"
                    params={{ operation: id }}
                    className="flex min-h-11 flex-col justify-center gap-x-4 px-4 py-2 -outline-offset-2 hover:bg-sunken sm:flex-row sm:items-center sm:justify-between"
                  >
                    <span className="text-14">{summary}</span>
                    <span className="flex items-baseline gap-2 font-mono text-12 text-ink-muted sm:text-right">
                      <Method method={method} />
                      <span className="wrap-anywhere">{path}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        </section>
      ))}
    </div>
  )
}
