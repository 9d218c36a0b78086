import type { Job, JobParty, ListedJob } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { AgentMark } from '../../components/AgentMark.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Money } from '../../components/Money.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { TimeAgo } from '../../components/Time.tsx'
import { type JobRole, needs } from '../../data/jobs-needing.ts'

export function JobTitle({ job: { id, title, agent } }: { job: ListedJob }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <AgentMark address={agent.walletAddress} avatarUrl={agent.avatarUrl} size={32} />
      <span className="flex min-w-0 flex-col">
        <Link
          to="/jobs/$jobId"
          params={{ jobId: id }}
          className="relative underline-offset-4 wrap-anywhere after:absolute after:-inset-y-2.5 after:inset-x-0 hover:underline"
        >
          {title}
        </Link>
        <span className="text-12 font-normal text-ink-faint">{agent.name}</span>
      </span>
    </span>
  )
}

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
    { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge kind="job" status={status} /> },
    { key: 'next', header: 'Next step', cell: (job) => <NextStep job={job} role={role} /> },
    {
      key: 'price',
      header: role === 'client' ? 'Price, USDC' : 'You receive, USDC',
      align: 'right',
      cell: ({ agreedPrice, netAmount }) => (
        <Money micro={role === 'client' ? agreedPrice : netAmount} hidesUnit />
      ),
    },
    {
      key: 'opened',
      header: 'Opened',
      align: 'right',
      cell: ({ createdAt }) => <TimeAgo at={createdAt} className="text-ink-muted" />,
    },
  ]
}

export function JobTable({ jobs, role }: { jobs: readonly ListedJob[]; role: JobRole }) {
  return <DataTable label="Jobs" columns={columnsFor(role)} rows={jobs} rowKey={({ id }) => id} />
}
