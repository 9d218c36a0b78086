import type { OwnAgent, Withdrawal } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../components/lists/DataTable.tsx'
import { LoadMore } from '../../../components/lists/LoadMore.tsx'
import { Address, TxLink } from '../../../components/money/Address.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { Section } from '../../../components/page/Card.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { TableSkeleton } from '../../../components/page/Skeleton.tsx'
import { StatusBadge } from '../../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { withdrawalPagesQuery } from '../../../data/account/withdrawals.ts'
import { exactTime } from '../../../format/time.ts'
import { useClient } from '../../../session/SessionProvider.tsx'

const FOLLOW_MS = 3_000

const isMoving = ({ status }: Withdrawal): boolean => status === 'REQUESTED' || status === 'SUBMITTED'

/** Everything that was ever withdrawn, newest first. What moves is looked at until it has arrived. */
export function WithdrawalList({ agents }: { agents: readonly OwnAgent[] }) {
  const list = useInfiniteQuery({
    ...withdrawalPagesQuery(useClient()),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.withdrawals.some(isMoving) ? FOLLOW_MS : false),
  })
  const rows = list.data?.pages.flatMap(({ withdrawals }) => withdrawals)
  const total = list.data?.pages[0]?.total ?? 0
  const agentNames = new Map(agents.map(({ id, name }) => [id, name]))
  return (
    <Section title="Withdrawals">
      {!rows && !list.error && <TableSkeleton rows={4} />}
      {!rows && list.error && <ErrorState error={list.error} onRetry={list.refetch} />}
      {rows?.length === 0 && (
        <EmptyState title="Nothing withdrawn yet">
          Each withdrawal appears here with its state and its transaction.
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <DataTable label="Withdrawals" columns={columnsFor(agentNames)} rows={rows} rowKey={({ id }) => id} />
      )}
      <LoadMore
        list={list}
        {...(rows && total > rows.length ? { summary: `${rows.length} of ${total} withdrawals` } : {})}
      />
    </Section>
  )
}

function columnsFor(agentNames: ReadonlyMap<string, string>): Column<Withdrawal>[] {
  return [
    {
      key: 'amount',
      header: 'Amount',
      isTitle: true,
      cell: ({ amount }) => <Money micro={amount} className="font-medium" />,
    },
    { key: 'agent', header: 'From', cell: ({ agentId }) => agentNames.get(agentId) ?? 'Unknown agent' },
    { key: 'to', header: 'To', cell: ({ to }) => <Address address={to} /> },
    {
      key: 'status',
      header: 'Status',
      cell: ({ status, failureReason, reservedUntil }) => (
        <span className="flex flex-col items-end gap-0.5 sm:items-start">
          <StatusBadge kind="withdrawal" status={status} />
          {failureReason && (
            <span className="max-w-72 text-right text-12 text-ink-muted sm:text-left">{failureReason}</span>
          )}
          {reservedUntil && (
            <span className="max-w-72 text-right text-12 text-ink-muted sm:text-left">
              The chain refused it. The amount stays set aside until {exactTime(Date.parse(reservedUntil))},
              because the signed transfer could still go through.
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'tx',
      header: 'Transaction',
      cell: ({ txHash }) =>
        txHash ? <TxLink txHash={txHash} /> : <span className="text-ink-faint">Not sent yet</span>,
    },
    {
      key: 'asked',
      header: 'Asked for',
      align: 'right',
      cell: ({ createdAt }) => <TimeAgo at={createdAt} className="text-ink-muted" />,
    },
  ]
}
