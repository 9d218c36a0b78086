import { Suspense, useState } from 'react'
import { lazyPart } from '../data/connection/load-code.ts'
import { dayText } from '../format/day.ts'
import { usdcText } from '../format/money.ts'
import { Button } from './Button.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { type EarningsPoint, railLooks, sumPoints } from './earnings-points.ts'
import { Money } from './Money.tsx'
import { Skeleton } from './Skeleton.tsx'

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
  const [isTable, setIsTable] = useState(false)
  const { escrowMicro, x402Micro } = sumPoints(points)
  const paidDays = points.filter(({ totalNet }) => totalNet !== '0')
  const words = `Net earnings over ${points.length} days: ${usdcText(escrowMicro)} USDC by escrow and ${usdcText(x402Micro)} USDC by x402. The table has every day.`
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-14">
          <Rail rail="escrow" micro={escrowMicro} />
          <Rail rail="x402" micro={x402Micro} />
        </ul>
        {paidDays.length > 0 && (
          <Button size="small" look="quiet" onClick={() => setIsTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        )}
      </div>
      {paidDays.length === 0 && (
        <p className="grid h-56 place-items-center rounded-box border border-dashed border-edge/50 text-14 text-ink-muted">
          No earnings in these days
        </p>
      )}
      {paidDays.length > 0 && isTable && (
        <div className="max-h-80 overflow-y-auto">
          <DataTable
            label="Earnings by day"
            columns={columns}
            rows={paidDays.toReversed()}
            rowKey={({ date }) => date}
          />
        </div>
      )}
      {paidDays.length > 0 && !isTable && (
        <div role="img" aria-label={words} className="h-56">
          <Suspense fallback={<Skeleton className="h-full" />}>
            <EarningsBars points={points} />
          </Suspense>
        </div>
      )}
    </div>
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
