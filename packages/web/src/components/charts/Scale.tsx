/** The upright axis of a drawing. */
export interface Scale {
  ticks: readonly number[]
  /** How far below the top a value stands, in the units of the drawing. */
  yOf: (value: number) => number
  height: number
}

interface ScaleLabelsProps {
  scale: Scale
  textOf: (tick: number) => string
  /** Its width, and the height of the drawing beside it. */
  className: string
}

/** The ticks in figures, beside the drawing. */
export function ScaleLabels({ scale: { ticks, yOf, height }, textOf, className }: ScaleLabelsProps) {
  return (
    <div aria-hidden className={`relative shrink-0 text-12 text-ink-faint ${className}`}>
      {ticks.map((tick) => (
        <span
          key={tick}
          className="absolute right-0 -translate-y-1/2"
          style={{ top: `${(yOf(tick) / height) * 100}%` }}
        >
          {textOf(tick)}
        </span>
      ))}
    </div>
  )
}

/** A line across the drawing for each tick; the one at 0 is the ground. */
export function ScaleLines({ scale: { ticks, yOf }, width }: { scale: Scale; width: number }) {
  return ticks.map((tick) => (
    <line
      key={tick}
      x1="0"
      x2={width}
      y1={yOf(tick)}
      y2={yOf(tick)}
      vectorEffect="non-scaling-stroke"
      className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
    />
  ))
}
