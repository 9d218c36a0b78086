import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'
import { dayText } from '../../format/day.ts'
import { usdcText } from '../../format/money.ts'
import { type EarningsPoint, railLooks } from './earnings-points.ts'
import { dayTicks, roundTicks } from './ticks.ts'

interface EarningsBarsProps {
  points: readonly EarningsPoint[]
}

interface Day {
  date: string
  escrow: number
  x402: number
}

/** Only the bars' heights are numbers with a decimal point; every amount in words comes from the exact micro-units. */
const toUsdc = (micro: string): number => Number(micro) / 1_000_000

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Earnings by day, one rail on the other. The chart's own chunk: nothing else brings the library along. */
export default function EarningsBars({ points }: EarningsBarsProps) {
  const days: Day[] = points.map(({ date, escrowNet, x402Net }) => ({
    date,
    escrow: toUsdc(escrowNet),
    x402: toUsdc(x402Net),
  }))
  const ticks = roundTicks(Math.max(0, ...days.map(({ escrow, x402 }) => escrow + x402)))
  const labelled = dayTicks(days.length).flatMap((place) => days[place]?.date ?? [])
  const byDate = new Map(points.map((point) => [point.date, point]))
  return (
    <BarChart
      responsive
      accessibilityLayer={false}
      data={days}
      margin={{ top: 8, right: 20, bottom: 0, left: 0 }}
      style={{ width: '100%', height: '100%' }}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="date"
        tickFormatter={(date: string) => dayText(date)}
        ticks={labelled}
        interval={0}
        tickLine={{ stroke: 'var(--edge)' }}
        axisLine={{ stroke: 'var(--edge)' }}
        tick={{ fill: 'var(--ink-faint)', fontSize: 12 }}
      />
      <YAxis
        width={44}
        ticks={ticks}
        domain={[0, ticks.at(-1) ?? 1]}
        interval={0}
        tickFormatter={(value: number) => compact.format(value)}
        tickLine={false}
        axisLine={false}
        tick={{ fill: 'var(--ink-faint)', fontSize: 12 }}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: 'var(--sunken)' }}
        content={({ active, label }) => <DayCard point={active ? byDate.get(String(label)) : undefined} />}
      />
      <Bar
        dataKey="escrow"
        stackId="rails"
        fill={railLooks.escrow.colour}
        stroke="var(--surface)"
        isAnimationActive={false}
      />
      <Bar
        dataKey="x402"
        stackId="rails"
        fill={railLooks.x402.colour}
        stroke="var(--surface)"
        radius={[2, 2, 0, 0]}
        isAnimationActive={false}
      />
    </BarChart>
  )
}

function DayCard({ point }: { point: EarningsPoint | undefined }) {
  if (!point) return null
  return (
    <div className="rounded-box border border-line bg-surface px-3 py-2 text-12 shadow-lift">
      <p className="font-medium">{dayText(point.date, { hasYear: true })}</p>
      <p>
        {railLooks.escrow.word} <span className="font-mono">{usdcText(BigInt(point.escrowNet))}</span>
      </p>
      <p>
        {railLooks.x402.word} <span className="font-mono">{usdcText(BigInt(point.x402Net))}</span>
      </p>
    </div>
  )
}
