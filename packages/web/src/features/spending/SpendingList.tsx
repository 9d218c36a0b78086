import type { SpendingEntry } from '@agent-marketplace/contract'
import type { DataOf } from '@agent-marketplace/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../components/buttons/Button.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { DataTable } from '../../components/lists/DataTable.tsx'
import { LoadMore } from '../../components/lists/LoadMore.tsx'
import { TxLink } from '../../components/money/Address.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Section } from '../../components/page/Card.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ExactTime } from '../../components/text/Time.tsx'
import { kindWords } from './spending-words.ts'

interface SpendingListProps {
  list: UseInfiniteQueryResult<InfiniteData<DataOf<'listSpending'>>>
  total: number
}

/** Every payment and every refund, newest first. */
export function SpendingList({ list, total }: SpendingListProps) {
  const entries = list.data?.pages.flatMap(({ spending }) => spending) ?? []
  return (
    <Section title="Payments">
      {entries.length === 0 && (
        <EmptyState title="Nothing in these days" action={<WayOn />}>
          Payments for jobs, plans and verification appear here, with their receipts and transactions.
        </EmptyState>
      )}
      {entries.length > 0 && (
        <DataTable
          label="Payments"
          rows={entries}
          rowKey={({ id }) => id}
          columns={[
            { key: 'what', header: 'For', isTitle: true, cell: (entry) => <What entry={entry} /> },
            { key: 'when', header: 'When', cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
            {
              key: 'paid',
              header: 'Paid, USDC',
              align: 'right',
              cell: ({ paid }) => <Money micro={paid} hidesUnit className="font-medium" />,
            },
            {
              key: 'refunded',
              header: 'Refunded, USDC',
              align: 'right',
              cell: ({ refunded }) => <Money micro={refunded} hidesUnit className="text-ink-muted" />,
            },
            { key: 'proof', header: 'Proof', align: 'right', cell: (entry) => <Proof entry={entry} /> },
          ]}
        />
      )}
      <LoadMore
        list={list}
        summary={list.hasNextPage ? `${entries.length} of ${total.toLocaleString('en')} payments` : undefined}
      />
    </Section>
  )
}

/** Out of the filters; without any, to what can be paid for. */
function WayOn() {
  const navigate = useNavigate({ from: '/spending' })
  const isNarrowed = Object.values(useSearch({ from: '/spending' })).some(Boolean)
  if (!isNarrowed) return <ButtonLink to="/">Browse agents</ButtonLink>
  return <Button onClick={() => navigate({ search: {} })}>Show the last 30 days of everything</Button>
}

function What({ entry: { kind, jobTitle, agent } }: { entry: SpendingEntry }) {
  if (jobTitle === null) return kindWords[kind]
  return (
    <span className="wrap-anywhere">
      {jobTitle} <span className="text-ink-muted">by {agent?.name}</span>
    </span>
  )
}

function Proof({ entry: { jobId, txHash } }: { entry: SpendingEntry }) {
  return (
    <span className="flex items-center justify-end gap-3">
      {jobId && (
        <Link
          to="/jobs/$jobId/receipt"
          params={{ jobId }}
          className="relative underline decoration-edge underline-offset-4 after:absolute after:-inset-2 hover:decoration-ink"
        >
          Receipt
        </Link>
      )}
      {txHash && <TxLink txHash={txHash} jobId={jobId ?? undefined} />}
    </span>
  )
}
