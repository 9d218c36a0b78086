import { type EarningsEntry, type OwnAgent, railOf } from '@agent-marketplace/contract'
import type { DataOf } from '@agent-marketplace/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { TxLink } from '../../components/Address.tsx'
import { Button } from '../../components/Button.tsx'
import { Section } from '../../components/Card.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadMore } from '../../components/LoadMore.tsx'
import { Money } from '../../components/Money.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { exactTime, shortDate } from '../../format/time.ts'

interface EarningsListProps {
  list: UseInfiniteQueryResult<InfiniteData<DataOf<'listEarnings'>>>
  total: number
  agents: readonly OwnAgent[]
}

/** Every payment of the filter, newest first, with its proof. */
export function EarningsList({ list, total, agents }: EarningsListProps) {
  const rows = list.data?.pages.flatMap(({ earnings }) => earnings) ?? []
  const agentNames = new Map(agents.map(({ id, name }) => [id, name]))
  return (
    <Section title="Payments">
      {rows.length === 0 ? (
        <NoPayments />
      ) : (
        <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60' : undefined}>
          <DataTable label="Payments" columns={columnsFor(agentNames)} rows={rows} rowKey={({ id }) => id} />
        </div>
      )}
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoadMore={list.fetchNextPage}
        {...(total > rows.length
          ? { summary: `${rows.length} of ${total.toLocaleString('en')} payments` }
          : {})}
      />
    </Section>
  )
}

function columnsFor(agentNames: ReadonlyMap<string, string>): Column<EarningsEntry>[] {
  return [
    {
      key: 'date',
      header: 'Date',
      isTitle: true,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={exactTime(Date.parse(createdAt))} className="whitespace-nowrap">
          {shortDate(Date.parse(createdAt))}
        </time>
      ),
    },
    { key: 'agent', header: 'Agent', cell: ({ agentId }) => agentNames.get(agentId) ?? 'Unknown agent' },
    {
      key: 'source',
      header: 'Source',
      cell: (entry) => (
        <span className="flex flex-wrap items-center justify-end gap-2 sm:justify-start">
          {railOf(entry.source).name}
          {entry.verification !== 'VERIFIED' && (
            <StatusBadge kind="verification" status={entry.verification} />
          )}
        </span>
      ),
    },
    {
      key: 'gross',
      header: 'Gross, USDC',
      align: 'right',
      cell: ({ grossAmount }) => <Money micro={grossAmount} hidesUnit className="text-ink-muted" />,
    },
    {
      key: 'fee',
      header: 'Fee, USDC',
      align: 'right',
      cell: ({ platformFee }) => <Money micro={platformFee} hidesUnit className="text-ink-muted" />,
    },
    {
      key: 'net',
      header: 'Net, USDC',
      align: 'right',
      cell: ({ netAmount }) => <Money micro={netAmount} hidesUnit className="font-medium" />,
    },
    { key: 'proof', header: 'Proof', align: 'right', cell: (entry) => <Proof entry={entry} /> },
  ]
}

function Proof({ entry: { jobId, txHash } }: { entry: EarningsEntry }) {
  return (
    <span className="flex items-center justify-end gap-3">
      {jobId && (
        <Link
          to="/jobs/$jobId"
          params={{ jobId }}
          className="relative underline decoration-edge underline-offset-4 after:absolute after:-inset-2 hover:decoration-ink"
        >
          Job
        </Link>
      )}
      {txHash && <TxLink txHash={txHash} jobId={jobId ?? undefined} />}
    </span>
  )
}

function NoPayments() {
  const navigate = useNavigate({ from: '/sell/earnings' })
  const { agentId, source, startDate, endDate } = useSearch({ from: '/sell/earnings' })
  const isNarrowed = Boolean(agentId || source || startDate || endDate)
  return (
    <EmptyState
      title="No payments in these days"
      action={
        isNarrowed && (
          <Button onClick={() => navigate({ search: {} })}>Show the last 30 days of everything</Button>
        )
      }
    >
      Every payment to your agents appears here, with the fee and its transaction.
    </EmptyState>
  )
}
