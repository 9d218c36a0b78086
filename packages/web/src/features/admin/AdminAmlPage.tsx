import type { AmlFlag } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../components/buttons/Button.tsx'
import type { Column } from '../../components/lists/DataTable.tsx'
import { Money } from '../../components/money/Money.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { DecisionDialog } from '../../components/popups/DecisionDialog.tsx'
import { Badge } from '../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { amlFlagsQuery } from '../../data/admin.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { PagedTable } from './PagedTable.tsx'
import { oneOf, StatusFilter } from './StatusFilter.tsx'

const statuses = { OPEN: 'Open', RESOLVED: 'Resolved' }

const columns: Column<AmlFlag>[] = [
  {
    key: 'job',
    header: 'Job',
    isTitle: true,
    cell: ({ job }) => (
      <Link
        to="/jobs/$jobId"
        params={{ jobId: job.id }}
        className="inline-flex min-h-11 items-center font-medium hover:underline sm:min-h-10"
      >
        <span title={job.title} className="sm:max-w-96 sm:truncate">
          {job.title}
        </span>
      </Link>
    ),
  },
  { key: 'amount', header: 'Amount', align: 'right', cell: ({ amount }) => <Money micro={amount} /> },
  { key: 'created', header: 'Flagged', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  {
    key: 'status',
    header: 'State',
    cell: ({ status }) => <Badge tone={status === 'OPEN' ? 'pending' : 'done'}>{statuses[status]}</Badge>,
  },
  { key: 'decide', header: 'Decide', align: 'right', cell: (flag) => <Resolution flag={flag} /> },
]

/** Large jobs of buyers who are not verified. The flag blocks nothing; somebody looks at it. */
export function AdminAmlPage() {
  const { status: asked } = useSearch({ from: '/admin/aml' })
  const navigate = useNavigate({ from: '/admin/aml' })
  const status = oneOf(statuses, asked)
  const query = useInfiniteQuery(amlFlagsQuery(useClient(), status ? { status } : {}))
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="AML flags"
        hint="Jobs of 5,000 USDC or more by buyers without verification. A flag blocks nothing."
      />
      <StatusFilter
        label="State"
        value={status}
        choices={statuses}
        everything="All flags"
        onChange={(next) => navigate({ search: next ? { status: next } : {} })}
      />
      <PagedTable
        label="AML flags"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{
          title: 'No flags',
          text: 'Large jobs by unverified buyers appear here for review.',
          action: status && <Button onClick={() => navigate({ search: {} })}>Show all flags</Button>,
        }}
      />
    </div>
  )
}

function Resolution({ flag: { id, status, note, job } }: { flag: AmlFlag }) {
  const client = useClient()
  if (status === 'RESOLVED') return <span className="text-ink-muted">{note}</span>
  return (
    <DecisionDialog
      verb="Resolve"
      subject={`the flag of “${job.title}”`}
      description="Closes the review. The job itself is not touched."
      done="The flag is resolved."
      isSentToOwner={false}
      decide={(reason) => client.call('resolveAmlFlag', { params: { id }, body: { reason } })}
    />
  )
}
