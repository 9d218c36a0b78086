import type { Job, JobAction, ListedJob } from '@agent-marketplace/contract'
import type { JobRole } from '../../data/jobs/jobs-needing.ts'
import { usdcText } from '../../format/money.ts'
import { ButtonLink } from '../buttons/ButtonLink.tsx'
import { Money } from '../money/Money.tsx'
import { JobBadges } from '../status/JobBadges.tsx'
import { Countdown } from '../text/Time.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { JobTitle } from './JobTitle.tsx'

const verbs: Record<JobAction, string> = {
  ACCEPT: 'Answer',
  PAY: 'Pay',
  DELIVER: 'Deliver',
  REVIEW: 'Review',
  REFUND: 'Refund',
  ANSWER_SETTLEMENT: 'Answer',
  RULE: 'Open',
}

function verbOf({ nextAction, agreedPrice }: Job): string {
  if (nextAction?.action === 'PAY') return `Pay ${usdcText(BigInt(agreedPrice))}`
  return verbs[nextAction?.action ?? 'RULE']
}

/** What the job is worth to each side: a buyer pays its price, a seller receives what is left of it. */
export const worthColumn = (role: JobRole): Column<ListedJob> => ({
  key: 'worth',
  header: role === 'client' ? 'Price, USDC' : 'You receive, USDC',
  align: 'right',
  cell: ({ agreedPrice, netAmount }) => (
    <Money micro={role === 'client' ? agreedPrice : netAmount} hidesUnit />
  ),
})

const columnsFor = (role: JobRole): Column<ListedJob>[] => [
  { key: 'title', header: 'Job', isTitle: true, cell: (job) => <JobTitle job={job} /> },
  { key: 'status', header: 'Status', cell: (job) => <JobBadges job={job} /> },
  worthColumn(role),
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

/** The jobs in which it is my turn, each with what I can do about it. */
export function WaitingJobs({ jobs, side }: { jobs: readonly ListedJob[]; side: JobRole }) {
  return (
    <DataTable label="Jobs that need you" columns={columnsFor(side)} rows={jobs} rowKey={({ id }) => id} />
  )
}
