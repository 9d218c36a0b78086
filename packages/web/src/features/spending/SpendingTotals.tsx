import type { SpendingKind, SpendingSummary } from '@agent-marketplace/contract'
import { DataTable } from '../../components/lists/DataTable.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Total } from '../../components/money/Total.tsx'
import { Card, Section } from '../../components/page/Card.tsx'
import { percentText } from '../../format/share.ts'
import { monthName } from '../../format/time.ts'
import { kindWords } from './spending-words.ts'

/** The totals of the filter: of everything, by kind, by month and by agent. */
export function SpendingTotals({ summary }: { summary: SpendingSummary }) {
  const { byKind, byMonth, byAgent } = summary
  return (
    <>
      <Card padding="none">
        <dl className="grid divide-y divide-line sm:grid-cols-4 sm:divide-x sm:divide-y-0">
          <Total label="Cost">
            <Money micro={summary.cost} className="text-20 font-semibold" />
            <span className="text-12 text-ink-muted">
              <Money micro={summary.paid} /> paid, <Money micro={summary.refunded} /> refunded
            </span>
          </Total>
          {(Object.keys(kindWords) as SpendingKind[]).map((kind) => (
            <Total key={kind} label={kindWords[kind]}>
              <Money micro={byKind[kind].cost} className="text-20" />
            </Total>
          ))}
        </dl>
      </Card>
      {byMonth.length > 1 && (
        <Section title="By month">
          <DataTable
            label="Spending by month"
            rows={byMonth}
            rowKey={({ month }) => month}
            columns={[
              { key: 'month', header: 'Month', isTitle: true, cell: ({ month }) => monthName(month) },
              ...amountColumns,
            ]}
          />
        </Section>
      )}
      {byAgent.length > 0 && (
        <Section title="By agent">
          <DataTable
            label="Spending by agent"
            rows={byAgent}
            rowKey={({ agent }) => agent.id}
            columns={[
              { key: 'agent', header: 'Agent', isTitle: true, cell: ({ agent }) => agent.name },
              { key: 'jobs', header: 'Jobs', align: 'right', cell: ({ jobs }) => jobs.toLocaleString('en') },
              ...amountColumns,
              {
                key: 'share',
                header: 'Share',
                align: 'right',
                cell: ({ cost }) => <Share part={BigInt(cost)} of={BigInt(summary.cost)} />,
              },
            ]}
          />
        </Section>
      )}
    </>
  )
}

/** Whose money it was, to be seen at a glance. An agent that gave back more than it got in the period has less than none. */
function Share({ part, of }: { part: bigint; of: bigint }) {
  const percent = of > 0n ? (Number(part) / Number(of)) * 100 : 0
  return (
    <span className="inline-flex items-center justify-end gap-3">
      <span aria-hidden className="h-2 w-24 overflow-hidden rounded-pill bg-sunken">
        <span
          className="block h-full rounded-pill bg-chart-1"
          style={{ width: `${Math.max(0, percent)}%` }}
        />
      </span>
      <span className="w-12 text-right tabular-nums">{percentText(part, of) ?? '–'}</span>
    </span>
  )
}

interface Sums {
  paid: string
  refunded: string
  cost: string
}

const amountColumns = [
  {
    key: 'paid',
    header: 'Paid, USDC',
    align: 'right' as const,
    cell: ({ paid }: Sums) => <Money micro={paid} hidesUnit className="text-ink-muted" />,
  },
  {
    key: 'refunded',
    header: 'Refunded, USDC',
    align: 'right' as const,
    cell: ({ refunded }: Sums) => <Money micro={refunded} hidesUnit className="text-ink-muted" />,
  },
  {
    key: 'cost',
    header: 'Cost, USDC',
    align: 'right' as const,
    cell: ({ cost }: Sums) => <Money micro={cost} hidesUnit className="font-medium" />,
  },
]
