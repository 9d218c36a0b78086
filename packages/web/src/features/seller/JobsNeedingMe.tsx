import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { WaitingJobs } from '../../components/lists/WaitingJobs.tsx'
import { Section } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { jobsNeedingQuery } from '../../data/jobs/jobs-needing.ts'
import { useClient } from '../../session/SessionProvider.tsx'

const SHOWN = 5

/** The jobs that wait for the seller, the most urgent first. */
export function JobsNeedingMe() {
  const { data: jobs, error, refetch } = useQuery(jobsNeedingQuery(useClient(), 'seller'))
  return (
    <Section
      title="Needs you"
      actions={
        <ButtonLink to="/jobs" search={{ role: 'seller' }} size="small" look="quiet">
          {jobs && jobs.length > SHOWN ? `All ${jobs.length} of them` : 'All jobs'}
        </ButtonLink>
      }
    >
      {!jobs && error && <ErrorState error={error} onRetry={refetch} />}
      {jobs?.length === 0 && (
        <p className="rounded-box border border-dashed border-edge/50 p-4 text-14 text-ink-muted">
          Nothing waits for you right now.
        </p>
      )}
      {jobs && jobs.length > 0 && <WaitingJobs jobs={jobs.slice(0, SHOWN)} side="seller" />}
    </Section>
  )
}
