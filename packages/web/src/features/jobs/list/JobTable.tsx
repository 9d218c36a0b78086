import type { Job, JobParty, ListedJob } from '@agent-marketplace/contract'
import { type Column, DataTable } from '../../../components/lists/DataTable.tsx'
import { JobTitle } from '../../../components/lists/JobTitle.tsx'
import { worthColumn } from '../../../components/lists/WaitingJobs.tsx'
import { JobBadges } from '../../../components/status/JobBadges.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { type JobRole, needs } from '../../../data/jobs/jobs-needing.ts'

const waitsFor: Record<JobParty, string> = {
  CLIENT: 'Waits for the buyer',
  SELLER: 'Waits for the agent',
  ARBITER: 'Waits for the multisig',
  PLATFORM: 'Under way',
}

function NextStep({ job, role }: { job: Job; role: JobRole }) {
  if (!job.nextAction) {
    return (
      <span className="text-ink-faint">
        <span aria-hidden>–</span>
        <span className="sr-only">None</span>
      </span>
    )
  }
  if (needs(job, role)) return <span className="font-medium">{job.nextAction.message}</span>
  return <span className="text-ink-muted">{waitsFor[job.nextAction.actor]}</span>
}

function columnsFor(role: JobRole): Column<ListedJob>[] {
  return [
    { key: 'title', header: 'Job', isTitle: true, cell: (job) => <JobTitle job={job} /> },
    {
      key: 'status',
      header: 'Status',
      sorts: [{ value: 'status', direction: 'ascending' }],
      cell: (job) => <JobBadges job={job} />,
    },
    {
      key: 'next',
      header: 'Next step',
      isEmpty: (job) => !job.nextAction,
      cell: (job) => <NextStep job={job} role={role} />,
    },
    {
      ...worthColumn(role),
      sorts: [
        { value: 'highest', direction: 'descending' },
        { value: 'lowest', direction: 'ascending' },
      ],
    },
    {
      key: 'opened',
      header: 'Opened',
      align: 'right',
      sorts: [
        { value: 'newest', direction: 'descending' },
        { value: 'oldest', direction: 'ascending' },
      ],
      cell: ({ createdAt }) => <TimeAgo at={createdAt} className="text-ink-muted" />,
    },
  ]
}

interface JobTableProps {
  jobs: readonly ListedJob[]
  role: JobRole
  sort: string
  onSort: (sort: string) => void
}

export function JobTable({ jobs, role, sort, onSort }: JobTableProps) {
  return (
    <DataTable
      label="Jobs"
      columns={columnsFor(role)}
      rows={jobs}
      rowKey={({ id }) => id}
      order={{ value: sort, onChange: onSort }}
    />
  )
}
