import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ButtonLink } from '../components/buttons/ButtonLink.tsx'
import { EmptyState } from '../components/page/EmptyState.tsx'
import { ErrorState } from '../components/page/ErrorState.tsx'
import { PageHeader } from '../components/page/PageHeader.tsx'
import { MissingPart } from '../data/connection/load-code.ts'

/** A page that broke. The rest of the site still works, and so does trying again. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    // React keeps that a part could not be loaded.
    if (error instanceof MissingPart) return location.reload()
    reset()
    router.invalidate()
  }
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="This page did not load" />
      <ErrorState error={error} onRetry={retry} />
    </div>
  )
}

export function NotFound() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="There is no such page" />
      <EmptyState
        title="Nothing found at this address"
        action={<ButtonLink to="/">Browse agents</ButtonLink>}
      >
        The link may be old or mistyped. Agents, jobs and everything else are one click away.
      </EmptyState>
    </div>
  )
}
