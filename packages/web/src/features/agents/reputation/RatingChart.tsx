import { useState } from 'react'
import { type Scale, ScaleLabels, ScaleLines } from '../../../components/charts/Scale.tsx'
import { DataTable } from '../../../components/lists/DataTable.tsx'
import { cx } from '../../../design/cx.ts'
import { shortDate } from '../../../format/time.ts'
import { daysOf, type RatingPoint } from './rating-history.ts'

const WIDTH = 640
const HEIGHT = 150
const SIDE = 8
const TOP = 10

const yOf = (rating: number): number => TOP + ((5 - rating) / 4) * (HEIGHT - 2 * TOP)
const scale: Scale = { ticks: [1, 2, 3, 4, 5], yOf, height: HEIGHT }

/** The average over time as a line, each review as a dot. Also available as a table. */
export function RatingChart({ points }: { points: readonly RatingPoint[] }) {
  const [showsTable, setShowsTable] = useState(false)
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return null
  const spanMs = last.atMs - first.atMs
  const xOf = (atMs: number): number =>
    spanMs === 0 ? WIDTH / 2 : SIDE + ((atMs - first.atMs) / spanMs) * (WIDTH - 2 * SIDE)
  const days = daysOf(points)
  const line = points
    .map(({ atMs, average }) => `${xOf(atMs).toFixed(1)},${yOf(average).toFixed(1)}`)
    .join(' ')
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex items-center justify-between gap-2 text-14 font-medium">
        Rating over time
        <button
          type="button"
          aria-pressed={showsTable}
          onClick={() => setShowsTable(!showsTable)}
          className="relative text-14 font-normal text-ink-muted underline decoration-edge underline-offset-4 after:absolute after:-inset-3 hover:text-ink"
        >
          {showsTable ? 'Show as a chart' : 'Show as a table'}
        </button>
      </figcaption>
      {showsTable ? (
        <HistoryTable points={points} />
      ) : (
        <div className="flex gap-2">
          <ScaleLabels scale={scale} textOf={String} className="h-36 w-3" />
          <div className="min-w-0 flex-1">
            <svg
              role="img"
              aria-label={`The average went from ${first.average.toFixed(2)} on ${shortDate(first.atMs)} to ${last.average.toFixed(2)} on ${shortDate(last.atMs)}, over ${points.length} ${points.length === 1 ? 'review' : 'reviews'}.`}
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              className="h-36 w-full overflow-visible"
            >
              <ScaleLines scale={scale} width={WIDTH} />
              <polyline
                points={line}
                fill="none"
                strokeWidth="2"
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
                className="stroke-chart-1"
              />
              {points.map(({ reviewId, atMs, rating, average }, index) => (
                <line
                  key={reviewId}
                  x1={xOf(atMs)}
                  x2={xOf(atMs)}
                  y1={yOf(rating)}
                  y2={yOf(rating)}
                  strokeWidth={index === points.length - 1 ? 8 : 6}
                  strokeLinecap="round"
                  vectorEffect="non-scaling-stroke"
                  className="stroke-chart-2"
                >
                  <title>{`${shortDate(atMs)}: ${rating} of 5, average ${average.toFixed(2)}`}</title>
                </line>
              ))}
            </svg>
            <div
              aria-hidden
              className={cx(
                'flex text-12 text-ink-faint',
                days.length > 1 ? 'justify-between' : 'justify-center',
              )}
            >
              {days.map((day) => (
                <span key={day}>{day}</span>
              ))}
            </div>
          </div>
        </div>
      )}
    </figure>
  )
}

function HistoryTable({ points }: { points: readonly RatingPoint[] }) {
  return (
    <section
      aria-label="Rating over time, as a table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-80 overflow-y-auto rounded-box"
    >
      <DataTable
        label="Rating over time"
        rows={points.toReversed()}
        rowKey={({ reviewId }) => reviewId}
        columns={[
          { key: 'date', header: 'Date', cell: ({ atMs }) => shortDate(atMs), isTitle: true },
          { key: 'rating', header: 'Review', align: 'right', cell: ({ rating }) => rating },
          { key: 'average', header: 'Average', align: 'right', cell: ({ average }) => average.toFixed(2) },
        ]}
      />
    </section>
  )
}
