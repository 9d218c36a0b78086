import type { AdminWithdrawal } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../components/buttons/Button.tsx'
import type { Column } from '../../components/lists/DataTable.tsx'
import { Address, TxLink } from '../../components/money/Address.tsx'
import { Money } from '../../components/money/Money.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { adminWithdrawalsQuery } from '../../data/admin.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { PagedTable } from './PagedTable.tsx'
import { oneOf, StatusFilter } from './StatusFilter.tsx'

const statuses = { REQUESTED: 'Requested', SUBMITTED: 'Sent', CONFIRMED: 'Arrived', FAILED: 'Failed' }

const columns: Column<AdminWithdrawal>[] = [
  { key: 'to', header: 'To', isTitle: true, cell: ({ to }) => <Address address={to} /> },
  {
    key: 'amount',
    header: 'Amount, USDC',
    align: 'right',
    cell: ({ amount }) => <Money micro={amount} hidesUnit className="font-medium" />,
  },
  {
    key: 'status',
    header: 'State',
    cell: ({ status, failureReason }) => (
      <span className="flex flex-col items-start gap-1">
        <StatusBadge kind="withdrawal" status={status} />
        {failureReason && <span className="text-12 text-ink-muted">{failureReason}</span>}
      </span>
    ),
  },
  {
    key: 'tx',
    header: 'Transaction',
    cell: ({ txHash }) => (txHash ? <TxLink txHash={txHash} /> : 'not yet'),
  },
  { key: 'created', header: 'Asked for', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
]

/** Withdrawals from agents' wallets to their owners. */
export function AdminWithdrawalsPage() {
  const { status: asked, ownerId } = useSearch({ from: '/admin/withdrawals' })
  const navigate = useNavigate({ from: '/admin/withdrawals' })
  const status = oneOf(statuses, asked)
  const query = useInfiniteQuery(
    adminWithdrawalsQuery(useClient(), { ...(status && { status }), ...(ownerId && { ownerId }) }),
  )
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Withdrawals" hint="From agents’ wallets to their owners’ own." />
      <StatusFilter
        label="State"
        value={status}
        choices={statuses}
        everything="All withdrawals"
        onChange={(next) =>
          navigate({ search: { ...(next && { status: next }), ...(ownerId && { ownerId }) } })
        }
      />
      <PagedTable
        label="Withdrawals"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{
          title: 'No withdrawals',
          text: 'What owners withdraw appears here with its transaction.',
          action: (status || ownerId) && (
            <Button onClick={() => navigate({ search: {} })}>Show all withdrawals</Button>
          ),
        }}
      />
    </div>
  )
}
