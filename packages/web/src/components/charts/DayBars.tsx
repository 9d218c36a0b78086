import { DataTable } from '../lists/DataTable.tsx'
import { ChartOrTable } from './ChartOrTable.tsx'
import { ScaleLabels, ScaleLines } from './Scale.tsx'
import { dayTicks, roundTicks } from './ticks.ts'

export interface BarPoint {
  key: string
  /** Below the bar, where there is room: "15 Nov". */
  label: string
  /** The exact value: "1,200.00 USDC". */
  text: string
  value: number
}

interface DayBarsProps {
  /** Says what is drawn, with its sum or its newest value: read in place of the picture. */
  label: string
  title: string
  /** The sum or the newest value, beside the title. */
  figure: string
  points: readonly BarPoint[]
  /** What the bars measure, along the upright axis. */
  unit: string
  /** What they stand for, along the other one. */
  along: string
  /** Counted in whole numbers. */
  isCount?: boolean
}

const WIDTH = 300
const HEIGHT = 96
const MOST_LABELS = 4

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Bars of one measure with their axes, or the table that says the same. */
export function DayBars({ label: words, title, figure, points, unit, along, isCount = false }: DayBarsProps) {
  const ticks = roundTicks(Math.max(0, ...points.map(({ value }) => value)), { isWhole: isCount })
  const top = ticks.at(-1) ?? 1
  const step = WIDTH / Math.max(1, points.length)
  const topOf = (value: number): number => HEIGHT - (value / top) * HEIGHT
  const scale = { ticks, yOf: topOf, height: HEIGHT }
  return (
    <ChartOrTable
      words={words}
      legend={
        <p className="flex grow basis-56 items-baseline justify-between gap-4">
          <span className="text-14 text-ink-muted">{title}</span>
          <span className="whitespace-nowrap font-mono tabular-nums">{figure}</span>
        </p>
      }
      table={
        <DataTable
          label={title}
          rows={points.toReversed()}
          rowKey={({ key }) => key}
          columns={[
            { key: 'label', header: along, isTitle: true, cell: ({ label }) => label },
            { key: 'value', header: unit, align: 'right', cell: ({ text }) => text },
          ]}
        />
      }
    >
      <p className="pb-2 text-12 text-ink-faint">{unit}</p>
      <div aria-hidden className="flex gap-2 text-12 text-ink-faint">
        <ScaleLabels scale={scale} textOf={(tick) => compact.format(tick)} className="h-24 w-9" />
        <div className="min-w-0 flex-1">
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="h-24 w-full overflow-visible"
          >
            <ScaleLines scale={scale} width={WIDTH} />
            {points.map(({ key, label, text, value }, index) => (
              <rect
                key={key}
                x={index * step + step * 0.1}
                width={step * 0.8}
                y={topOf(value)}
                height={HEIGHT - topOf(value)}
                className="fill-chart-1"
              >
                <title>{`${label}: ${text}`}</title>
              </rect>
            ))}
          </svg>
          <div className="relative mt-1 h-4">
            {dayTicks(points.length, MOST_LABELS).map((place) => (
              <span
                key={place}
                className="absolute -translate-x-1/2 whitespace-nowrap last:-translate-x-full"
                style={{
                  left: `${((place + (place === points.length - 1 ? 1 : 0.5)) / points.length) * 100}%`,
                }}
              >
                {points[place]?.label}
              </span>
            ))}
          </div>
        </div>
      </div>
      <p className="pt-1 text-right text-12 text-ink-faint">{along}</p>
    </ChartOrTable>
  )
}
