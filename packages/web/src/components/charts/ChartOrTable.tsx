import { type ReactNode, useState } from 'react'
import { Button } from '../buttons/Button.tsx'

interface ChartOrTableProps {
  /** Says what is drawn, with its sums: read in place of the picture. */
  words: string
  /** What the colours mean, or the title. */
  legend: ReactNode
  /** The same figures to read. */
  table: ReactNode
  /** Undefined where there is nothing to draw. */
  emptyWords?: string | undefined
  children: ReactNode
}

/** A picture of figures, or the table that says the same. */
export function ChartOrTable({ words, legend, table, emptyWords, children }: ChartOrTableProps) {
  const [isTable, setIsTable] = useState(false)
  return (
    <figure className="flex flex-col gap-3">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {legend}
        {emptyWords === undefined && (
          <Button size="small" look="quiet" onClick={() => setIsTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        )}
      </figcaption>
      {emptyWords !== undefined && (
        <p className="grid h-56 place-items-center rounded-box border border-dashed border-edge/50 text-14 text-ink-muted">
          {emptyWords}
        </p>
      )}
      {emptyWords === undefined && isTable && (
        <section
          aria-label={`${words} As a table.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-80 overflow-y-auto rounded-box"
        >
          {table}
        </section>
      )}
      {emptyWords === undefined && !isTable && (
        <div role="img" aria-label={words}>
          {children}
        </div>
      )}
    </figure>
  )
}
