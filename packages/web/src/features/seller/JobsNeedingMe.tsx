import type { Job, JobAction, ListedJob } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../components/ButtonLink.tsx'
import { Section } from '../../components/Card.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { Money } from '../../components/Money.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Countdown } from '../../components/Time.tsx'
import { jobsNeedingQuery } from '../../data/jobs-needing.ts'
import { useClient } from '../../session/SessionProvider.tsx'

const SHOWN = 5

const verbs: Partial<Record<JobAction, string>> = { DELIVER: 'Deliver', ANSWER_SETTLEMENT: 'Answer' }

const verbOf = ({ nextAction }: Job): string => (nextAction && verbs[nextAction.action]) ?? 'Open'

const columns: readonly Column<ListedJob>[] = [
  {
    key: 'title',
    header: 'Job',
    isTitle: true,
    cell: (job) => (
      <span className="flex min-w-0 flex-col">
        <Link
          to="/jobs/$jobId"
          params={{ jobId: job.id }}
          className="underline-offset-4 wrap-anywhere hover:underline"
        >
          {job.title}
        </Link>
        <span className="text-12 font-normal text-ink-faint">{job.agent.name}</span>
      </span>
    ),
  },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge kind="job" status={status} /> },
  {
    key: 'net',
    header: 'You receive, USDC',
    align: 'right',
    cell: ({ netAmount }) => <Money micro={netAmount} hidesUnit />,
  },
  {
    key: 'left',
    header: 'Time left',
    align: 'right',
    cell: ({ nextAction }) =>
      nextAction?.dueAt ? <Countdown until={nextAction.dueAt} over="overdue" /> : 'No limit',
  },
  {
    key: 'action',
    header: 'Next step',
    align: 'right',
    cell: (job) => (
      <ButtonLink
        to="/jobs/$jobId"
        params={{ jobId: job.id }}
        size="small"
        aria-label={`${verbOf(job)}: ${job.title}`}
      >
        {verbOf(job)}
      </ButtonLink>
    ),
  },
]

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
      {jobs && jobs.length > 0 && (
        <DataTable
          label="Jobs that need you"
          columns={columns}
          rows={jobs.slice(0, SHOWN)}
          rowKey={({ id }) => id}
        />
      )}
    </Section>
  )
}
