import { Suspense } from 'react'
import { lazyPart } from '../../data/connection/load-code.ts'
import { dayText } from '../../format/day.ts'
import { usdcText } from '../../format/money.ts'
import { type Column, DataTable } from '../lists/DataTable.tsx'
import { Money } from '../money/Money.tsx'
import { Skeleton } from '../page/Skeleton.tsx'
import { ChartOrTable } from './ChartOrTable.tsx'
import { type EarningsPoint, railLooks, sumPoints } from './earnings-points.ts'

const EarningsBars = lazyPart(() => import('./EarningsBars.tsx'))

const columns: readonly Column<EarningsPoint>[] = [
  { key: 'day', header: 'Day', isTitle: true, cell: ({ date }) => dayText(date, { hasYear: true }) },
  {
    key: 'escrow',
    header: 'Escrow, USDC',
    align: 'right',
    cell: ({ escrowNet }) => <Money micro={escrowNet} hidesUnit />,
  },
  {
    key: 'x402',
    header: 'x402, USDC',
    align: 'right',
    cell: ({ x402Net }) => <Money micro={x402Net} hidesUnit />,
  },
  {
    key: 'total',
    header: 'Total, USDC',
    align: 'right',
    cell: ({ totalNet }) => <Money micro={totalNet} hidesUnit />,
  },
]

/** Net earnings by day and rail, as bars or as the table that says the same. */
export function EarningsChart({ points }: { points: readonly EarningsPoint[] }) {
  const { escrowMicro, x402Micro } = sumPoints(points)
  const paidDays = points.filter(({ totalNet }) => totalNet !== '0')
  return (
    <ChartOrTable
      words={`Net earnings over ${points.length} days: ${usdcText(escrowMicro)} USDC by escrow and ${usdcText(x402Micro)} USDC by x402. The table has every day.`}
      legend={
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-14">
          <Rail rail="escrow" micro={escrowMicro} />
          <Rail rail="x402" micro={x402Micro} />
        </ul>
      }
      emptyWords={paidDays.length === 0 ? 'No earnings in these days' : undefined}
      table={
        <DataTable
          label="Earnings by day"
          columns={columns}
          rows={paidDays.toReversed()}
          rowKey={({ date }) => date}
        />
      }
    >
      <p className="text-12 text-ink-faint">USDC a day, net</p>
      <div className="h-52">
        <Suspense fallback={<Skeleton className="h-full" />}>
          <EarningsBars points={points} />
        </Suspense>
      </div>
      <p className="text-right text-12 text-ink-faint">Day, UTC</p>
    </ChartOrTable>
  )
}

function Rail({ rail, micro }: { rail: keyof typeof railLooks; micro: bigint }) {
  const { word, colour } = railLooks[rail]
  return (
    <li className="flex items-center gap-2">
      <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: colour }} />
      <span className="text-ink-muted">{word}</span>
      <Money micro={micro} />
    </li>
  )
}
