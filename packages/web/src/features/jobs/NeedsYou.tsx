import type { Job, JobAction, ListedJob } from '@agent-marketplace/contract'
import { ButtonLink } from '../../components/ButtonLink.tsx'
import { Section } from '../../components/Card.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Money } from '../../components/Money.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Countdown } from '../../components/Time.tsx'
import { shortUsdc } from '../../format/money.ts'
import { JobTitle } from './JobTable.tsx'

const verbs: Record<JobAction, string> = {
  PAY: 'Pay',
  DELIVER: 'Deliver',
  REVIEW: 'Review',
  ANSWER_SETTLEMENT: 'Answer',
  RULE: 'Open',
}

function verbOf({ nextAction, agreedPrice }: Job): string {
  if (nextAction?.action === 'PAY') return `Pay ${shortUsdc(BigInt(agreedPrice))}`
  return verbs[nextAction?.action ?? 'RULE']
}

const columns: readonly Column<ListedJob>[] = [
  { key: 'title', header: 'Job', isTitle: true, cell: (job) => <JobTitle job={job} /> },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge kind="job" status={status} /> },
  {
    key: 'price',
    header: 'Price, USDC',
    align: 'right',
    cell: ({ agreedPrice }) => <Money micro={agreedPrice} hidesUnit />,
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

/** The jobs that wait for me, the most urgent first. */
export function NeedsYou({ jobs }: { jobs: readonly ListedJob[] }) {
  return (
    <Section title="Needs you" hint="It is your turn in these, the most urgent first.">
      <DataTable label="Jobs that need you" columns={columns} rows={jobs} rowKey={({ id }) => id} />
    </Section>
  )
}
