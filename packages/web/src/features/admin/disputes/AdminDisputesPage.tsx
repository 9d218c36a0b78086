import type { AdminDispute } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../../components/buttons/Button.tsx'
import type { Column } from '../../../components/lists/DataTable.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { Badge } from '../../../components/status/StatusBadge.tsx'
import { Countdown, TimeAgo } from '../../../components/text/Time.tsx'
import { disputesQuery } from '../../../data/admin.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { PagedTable } from '../PagedTable.tsx'
import { oneOf, StatusFilter } from '../StatusFilter.tsx'
import { outcomeOf } from './outcome-words.ts'

const statuses = { OPEN: 'Open', CLOSED: 'Closed' }

const columns: Column<AdminDispute>[] = [
  {
    key: 'job',
    header: 'Job',
    isTitle: true,
    cell: ({ job }) => (
      <Link
        to="/admin/disputes/$jobId"
        params={{ jobId: job.id }}
        className="inline-flex min-h-11 items-center font-medium hover:underline sm:min-h-10"
      >
        <span title={job.title} className="sm:max-w-96 sm:truncate">
          {job.title}
        </span>
      </Link>
    ),
  },
  { key: 'price', header: 'Held', align: 'right', cell: ({ job }) => <Money micro={job.agreedPrice} /> },
  { key: 'opened', header: 'Opened', cell: ({ dispute }) => <TimeAgo at={dispute.openedAt} /> },
  { key: 'lapses', header: 'Refunds automatically', cell: (row) => <Lapse {...row} /> },
  { key: 'outcome', header: 'Outcome', cell: (row) => <OutcomeState {...row} /> },
]

/** Disputes, the ones that will lapse first on top. */
export function AdminDisputesPage() {
  const { status: asked } = useSearch({ from: '/admin/disputes' })
  const navigate = useNavigate({ from: '/admin/disputes' })
  const status = oneOf(statuses, asked)
  const query = useInfiniteQuery(disputesQuery(useClient(), status ? { status } : {}))
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Disputes" hint="In the order in which they expire." />
      <StatusFilter
        label="State"
        value={status}
        choices={statuses}
        everything="All disputes"
        onChange={(next) => navigate({ search: next ? { status: next } : {} })}
      />
      <PagedTable
        label="Disputes"
        query={query}
        columns={columns}
        rowKey={({ job }) => job.id}
        empty={{
          title: 'No disputes',
          text: 'Jobs whose parties disagree appear here with their evidence.',
          action: status && <Button onClick={() => navigate({ search: {} })}>Show all disputes</Button>,
        }}
      />
    </div>
  )
}

function Lapse({ job, dispute }: AdminDispute) {
  if (job.status !== 'DISPUTED') return <span className="text-ink-muted">ended</span>
  return <Countdown until={dispute.undecidedAt} over="now" />
}

function OutcomeState(row: AdminDispute) {
  const { job, proposal } = row
  const outcome = outcomeOf(row)
  if (outcome) return <Badge tone="done">{`${outcome.how}, ${outcome.share}`}</Badge>
  if (job.status !== 'DISPUTED') return <Badge tone="cancelled">No ruling</Badge>
  if (!proposal) return <Badge tone="pending">None yet</Badge>
  return (
    <Badge tone="review">
      {proposal.confirmations.length} of {proposal.threshold} signed
    </Badge>
  )
}
