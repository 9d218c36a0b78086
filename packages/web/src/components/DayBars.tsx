import { cx } from '../design/cx.ts'

export interface BarPoint {
  key: string
  /** What stands on hover and is read: "15 Nov: 1,200.00 USDC". */
  words: string
  value: number
}

interface DayBarsProps {
  /** Says what is drawn, with its sum or its newest value. */
  label: string
  points: readonly BarPoint[]
  /** Below the first and the last bar. */
  ends: readonly [first: string, last: string]
  tone?: 'ink' | 'accent'
}

const WIDTH = 300
const HEIGHT = 72

/** Small bars from a base line, all of one measure. */
export function DayBars({ label, points, ends, tone = 'ink' }: DayBarsProps) {
  const top = Math.max(1, ...points.map(({ value }) => value))
  const step = WIDTH / Math.max(1, points.length)
  return (
    <div className="flex flex-col gap-1">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-18 w-full"
      >
        {points.map(({ key, words, value }, index) => {
          const height = (value / top) * (HEIGHT - 2)
          return (
            <rect
              key={key}
              x={index * step + step * 0.1}
              width={step * 0.8}
              y={HEIGHT - 1 - height}
              height={height}
              className={tone === 'accent' ? 'fill-accent' : 'fill-ink'}
            >
              <title>{words}</title>
            </rect>
          )
        })}
        <path d={`M0 ${HEIGHT - 0.5} H${WIDTH}`} className="stroke-line" />
      </svg>
      <p aria-hidden className={cx('flex justify-between text-12 text-ink-faint')}>
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </div>
  )
}
