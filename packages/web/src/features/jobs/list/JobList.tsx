import type { JobSort, JobStatus } from '@agent-marketplace/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LoadMore } from '../../../components/lists/LoadMore.tsx'
import { WaitingJobs } from '../../../components/lists/WaitingJobs.tsx'
import { Section } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { TableSkeleton } from '../../../components/page/Skeleton.tsx'
import { jobsQuery } from '../../../data/jobs/jobs.ts'
import { type JobRole, jobsNeedingQuery } from '../../../data/jobs/jobs-needing.ts'
import { searchedText } from '../../../data/lists/searched-words.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { BuyerSteps } from './BuyerSteps.tsx'
import { JobTable } from './JobTable.tsx'
import { JobTools } from './JobTools.tsx'
import { NoJobs, NoMatch } from './NoJobs.tsx'
import { useBuyerStart } from './useBuyerStart.ts'

interface JobListProps {
  role: JobRole
  status: JobStatus | undefined
  q: string
  sort: JobSort
}

/** What waits for me first, then everything, newest first unless another order is chosen. */
export function JobList({ role, status, q, sort }: JobListProps) {
  const client = useClient()
  const navigate = useNavigate({ from: '/jobs' })
  const filter = { role, ...(status ? { status } : {}), ...(q ? { q: searchedText(q) } : {}) }
  const order = sort === 'newest' ? {} : { sort }
  const jobs = useInfiniteQuery({
    ...jobsQuery(client, { ...filter, ...order }),
    placeholderData: keepPreviousData,
  })
  const whole = useInfiniteQuery({ ...jobsQuery(client, { role }), enabled: status === undefined })
  const needing = useQuery(jobsNeedingQuery(client, role))
  const rows = jobs.data?.pages.flatMap(({ data }) => data)
  const all = whole.data?.pages.flatMap(({ data }) => data)
  // Only the whole list shows how far a buyer has come.
  const start = useBuyerStart(role === 'client' && status === undefined ? all : undefined)
  const change = (next: { status?: string; q?: string; order?: string }) =>
    navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })

  const failure = !rows && jobs.error ? <ErrorState error={jobs.error} onRetry={jobs.refetch} /> : undefined
  // A search that fails leaves its words in place: they can be changed.
  if (failure && q === '' && status === undefined) return failure
  // All parts come together, so that the later ones do not jump when the first is there.
  const isWhole = (rows || failure) && !needing.isPending && !whole.isPending && !start.isPending
  if (status === undefined && !isWhole) return <TableSkeleton rows={12} />
  const steps = status === undefined && start.facts && <BuyerSteps start={start} />
  if (rows?.length === 0 && status === undefined && q === '')
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
      <Section title="All jobs">
        <JobTools filter={filter} q={q} status={status} sort={sort} onChange={change} />
        {rows === undefined && (failure ?? <TableSkeleton rows={12} />)}
        {rows?.length === 0 && (
          <NoMatch hasStatus={status !== undefined} onClear={() => change({ status: '', q: '' })} />
        )}
        {rows && rows.length > 0 && (
          <div aria-busy={jobs.isPlaceholderData} className="busy-line">
            <JobTable jobs={rows} role={role} sort={sort} onSort={(next) => change({ order: next })} />
          </div>
        )}
        <LoadMore list={jobs} />
      </Section>
    </div>
  )
}
