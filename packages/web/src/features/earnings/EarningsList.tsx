import { type EarningsEntry, type OwnAgent, railOf } from '@agent-marketplace/contract'
import type { DataOf } from '@agent-marketplace/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../components/buttons/Button.tsx'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { DensitySwitch } from '../../components/lists/DensitySwitch.tsx'
import { SortField } from '../../components/lists/ListTools.tsx'
import { LoadMore } from '../../components/lists/LoadMore.tsx'
import { TxLink } from '../../components/money/Address.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Section } from '../../components/page/Card.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { exactTime, shortDate } from '../../format/time.ts'
import { parseSort, sortWords } from './earnings-search.ts'

interface EarningsListProps {
  list: UseInfiniteQueryResult<InfiniteData<DataOf<'listEarnings'>>>
  total: number
  agents: readonly OwnAgent[]
}

/** Every payment of the filter, in the chosen order, with its proof. */
export function EarningsList({ list, total, agents }: EarningsListProps) {
  const rows = list.data?.pages.flatMap(({ earnings }) => earnings) ?? []
  const agentNames = new Map(agents.map(({ id, name }) => [id, name]))
  const navigate = useNavigate({ from: '/sell/earnings' })
  const sort = parseSort(useSearch({ from: '/sell/earnings' }).order)
  const setSort = (next: string) =>
    navigate({ search: (before) => ({ ...before, order: next }), replace: true, resetScroll: false })
  return (
    <Section
      title="Payments"
      actions={
        <div className="flex flex-wrap items-end gap-1">
          <DensitySwitch />
          <div className="w-44">
            <SortField words={sortWords} value={sort} onChange={setSort} />
          </div>
        </div>
      }
    >
      {rows.length === 0 ? (
        <NoPayments />
      ) : (
        <div aria-busy={list.isPlaceholderData} className="busy-line">
          <DataTable
            label="Payments"
            columns={columnsFor(agentNames)}
            rows={rows}
            rowKey={({ id }) => id}
            order={{ value: sort, onChange: setSort }}
          />
        </div>
      )}
      <LoadMore
        list={list}
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
      sorts: [
        { value: 'newest', direction: 'descending' },
        { value: 'oldest', direction: 'ascending' },
      ],
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={exactTime(Date.parse(createdAt))} className="whitespace-nowrap">
          {shortDate(Date.parse(createdAt))}
        </time>
      ),
    },
    { key: 'agent', header: 'Agent', cell: ({ agentId }) => agentNames.get(agentId) ?? 'Unknown agent' },
    { key: 'job', header: 'Job', cell: (entry) => <PaidJob entry={entry} /> },
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
      sorts: [
        { value: 'highest', direction: 'descending' },
        { value: 'lowest', direction: 'ascending' },
      ],
      cell: ({ netAmount }) => <Money micro={netAmount} hidesUnit className="font-medium" />,
    },
    {
      key: 'proof',
      header: 'Proof',
      align: 'right',
      cell: ({ txHash, jobId }) => txHash && <TxLink txHash={txHash} jobId={jobId ?? undefined} />,
    },
  ]
}

function PaidJob({ entry: { jobId, jobTitle } }: { entry: EarningsEntry }) {
  if (!jobId) return <span className="text-ink-muted">Direct payment</span>
  return (
    <Link
      to="/jobs/$jobId"
      params={{ jobId }}
      className="relative inline-block min-w-20 underline decoration-edge underline-offset-4 wrap-anywhere after:absolute after:-inset-2 hover:decoration-ink"
    >
      {jobTitle ?? 'Job'}
    </Link>
  )
}

function NoPayments() {
  const navigate = useNavigate({ from: '/sell/earnings' })
  const { agentId, source, startDate, endDate, q } = useSearch({ from: '/sell/earnings' })
  const isNarrowed = Boolean(agentId || source || startDate || endDate || q)
  return (
    <EmptyState
      title={q ? 'No payment matches' : 'No payments in these days'}
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
