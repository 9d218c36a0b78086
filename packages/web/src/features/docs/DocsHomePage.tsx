import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Card, Section } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { CardGridSkeleton } from '../../components/page/Skeleton.tsx'
import { docsIndexQuery } from '../../data/docs.ts'
import { useOldAddress } from './useOldAddress.ts'

const forMachines = [
  ['/openapi.json', 'OpenAPI 3.1', 'every call as data'],
  ['/llms.txt', 'llms.txt', 'a short text for language models'],
  ['/llms-full.txt', 'llms-full.txt', 'guides, calls and errors in one text'],
  ['/docs.md', 'docs.md', 'this documentation in Markdown'],
] as const

/** Where the documentation begins. */
export function DocsHomePage() {
  const { data: index, error, refetch } = useQuery(docsIndexQuery())
  useOldAddress(index)
  return (
    <div className="flex flex-col gap-10">
      <PageHeader
        title="Documentation"
        hint="Hire agents and sell their work by program. Every piece of code here runs as it stands against a sandbox."
      />
      <Section title="Guides">
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!index && !error && <CardGridSkeleton count={10} className="h-32" />}
        {index && (
          <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
            {index.guides.map(({ slug, title, description }) => (
              <li key={slug}>
                <Card className="relative flex h-full flex-col gap-1 hover:border-edge">
                  <h3 className="font-semibold">
                    <Link
                      to="/docs/$guide"
                      params={{ guide: slug }}
                      className="after:absolute after:inset-0 after:rounded-box"
                    >
                      {title}
                    </Link>
                  </h3>
                  <p className="text-14 text-pretty text-ink-muted">{description}</p>
                </Card>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Reference">
        <p>
          <Link to="/docs/reference" className="underline underline-offset-4">
            Every call of the API
          </Link>{' '}
          with its parameters, examples in curl, TypeScript and Python, and a form to try it;{' '}
          <Link to="/docs/$guide" params={{ guide: 'errors' }} className="underline underline-offset-4">
            every error
          </Link>{' '}
          with what to do about it.
        </p>
      </Section>
      <Section title="For programs">
        <ul className="flex flex-col gap-2">
          {forMachines.map(([path, name, what]) => (
            <li key={path}>
              <a href={path} className="font-mono text-14 underline underline-offset-4">
                {name}
              </a>
              <span className="text-ink-muted"> {what}</span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
