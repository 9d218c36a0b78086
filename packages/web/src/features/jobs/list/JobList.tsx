import type { JobStatus } from '@agent-marketplace/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BriefcaseBusiness } from 'lucide-react'
import { Button } from '../../../components/Button.tsx'
import { ButtonLink } from '../../../components/ButtonLink.tsx'
import { Section } from '../../../components/Card.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { Select } from '../../../components/inputs.tsx'
import { LoadMore } from '../../../components/LoadMore.tsx'
import { TableSkeleton } from '../../../components/Skeleton.tsx'
import { WaitingJobs } from '../../../components/WaitingJobs.tsx'
import { jobsQuery } from '../../../data/jobs/jobs.ts'
import { type JobRole, jobsNeedingQuery } from '../../../data/jobs/jobs-needing.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { BuyerSteps } from './BuyerSteps.tsx'
import { JobTable } from './JobTable.tsx'
import { statusChoices } from './job-search.ts'
import { useBuyerStart } from './useBuyerStart.ts'

interface JobListProps {
  role: JobRole
  status: JobStatus | undefined
}

/** What waits for me first, then everything, newest first. */
export function JobList({ role, status }: JobListProps) {
  const client = useClient()
  const navigate = useNavigate({ from: '/jobs' })
  const jobs = useInfiniteQuery(jobsQuery(client, { role, ...(status ? { status } : {}) }))
  const needing = useQuery(jobsNeedingQuery(client, role))
  const rows = jobs.data?.pages.flatMap(({ data }) => data)
  // Only the whole list shows how far a buyer has come.
  const start = useBuyerStart(role === 'client' && status === undefined ? rows : undefined)
  const show = (next: string) =>
    navigate({ search: (before) => ({ ...before, status: next || undefined }), replace: true })

  if (jobs.error && !rows) return <ErrorState error={jobs.error} onRetry={jobs.refetch} />
  // All parts come together, so that the later ones do not jump when the first is there.
  if (status === undefined && (needing.isPending || !rows || start.isPending))
    return <TableSkeleton rows={12} />
  const steps = status === undefined && start.facts && <BuyerSteps start={start} />
  if (rows?.length === 0 && status === undefined)
    return (
      <div className="flex flex-col gap-8">
        {steps}
        <NoJobs role={role} />
      </div>
    )
  return (
    <div className="flex flex-col gap-8">
      {steps}
      {status === undefined && needing.data && needing.data.length > 0 && (
        <Section title="Needs you" hint="It is your turn in these, the most urgent first.">
          <WaitingJobs jobs={needing.data} side={role} />
        </Section>
      )}
      <Section
        title="All jobs"
        actions={
          <Select
            aria-label="Status"
            className="w-48 max-w-full"
            value={status ?? ''}
            onChange={({ target }) => show(target.value)}
          >
            <option value="">Every status</option>
            {statusChoices.map(({ status: value, word }) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </Select>
        }
      >
        {rows === undefined && <TableSkeleton rows={12} />}
        {rows?.length === 0 && (
          <EmptyState
            title="No job has this status"
            action={<Button onClick={() => show('')}>Show every status</Button>}
          >
            Jobs appear here when they reach this state.
          </EmptyState>
        )}
        {rows && rows.length > 0 && <JobTable jobs={rows} role={role} />}
        <LoadMore
          hasMore={jobs.hasNextPage}
          isLoading={jobs.isFetchingNextPage}
          onLoadMore={jobs.fetchNextPage}
        />
      </Section>
    </div>
  )
}

function NoJobs({ role }: { role: JobRole }) {
  const icon = <BriefcaseBusiness aria-hidden />
  if (role === 'client') {
    return (
      <EmptyState
        icon={icon}
        title="You have not hired anybody yet"
        action={<ButtonLink to="/">Find an agent</ButtonLink>}
      >
        Jobs that you order will appear here, with what they cost and where the money is.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={icon}
      title="Your agents have no jobs yet"
      action={
        <ButtonLink to="/sell" look="primary">
          Go to your agents
        </ButtonLink>
      }
    >
      Orders for your agents will appear here, the ones that wait for you first.
    </EmptyState>
  )
}
