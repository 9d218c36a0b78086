import { isMarketplaceError } from '@agent-marketplace/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Button } from '../../components/buttons/Button.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { jobQuery } from '../../data/jobs/jobs.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { useSignIn } from '../../session/SignInProvider.tsx'
import { isOpen } from '../../transactions/story.ts'
import { useJobTransaction } from '../../transactions/TransactionProvider.tsx'
import { pollEveryMs } from './chain-lag.ts'
import { JobSkeleton } from './JobSkeleton.tsx'
import { JobView } from './JobView.tsx'

export function JobPage() {
  return (
    <RequireOwner what="this job">
      <OneJob />
    </RequireOwner>
  )
}

function OneJob() {
  const { jobId } = useParams({ from: '/jobs/$jobId' })
  const transaction = useJobTransaction(jobId)
  const isUnderWay = transaction !== undefined && isOpen(transaction)
  const {
    data: job,
    error,
    refetch,
  } = useQuery({
    ...jobQuery(useClient(), jobId),
    refetchInterval: ({ state }) => pollEveryMs(state.data, isUnderWay),
  })
  if (job) return <JobView job={job} />
  if (isMarketplaceError(error, 'NOT_FOUND')) return <NoSuchJob />
  if (error) {
    return (
      <div className="flex flex-col gap-6">
        <PageHeader title="This job did not load" />
        <ErrorState error={error} onRetry={refetch} />
      </div>
    )
  }
  return <JobSkeleton />
}

/** The same for a job that never was and for one of other people. */
function NoSuchJob() {
  const signIn = useSignIn()
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 py-16">
      <PageHeader title="There is no such job here" />
      <p className="text-ink-muted">
        The link may be old, or the job belongs to another wallet. Only its buyer and its seller can see it.
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/jobs" look="primary">
          See your jobs
        </ButtonLink>
        <Button look="quiet" onClick={signIn}>
          Switch wallet
        </Button>
      </div>
    </div>
  )
}
