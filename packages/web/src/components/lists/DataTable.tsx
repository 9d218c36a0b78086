import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'
import { useIsCompact } from '../../design/density.ts'

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'left' | 'right'
  /** Names the row: stands first and without its header on a phone. */
  isTitle?: boolean
  /** Has nothing to show in this row: on a phone the line is left out. */
  isEmpty?: (row: Row) => boolean
  /** The orders that its head switches between, the first one first. */
  sorts?: readonly [ColumnSort, ...ColumnSort[]]
}

interface ColumnSort {
  value: string
  direction: 'ascending' | 'descending'
}

interface Order {
  value: string
  onChange: (value: string) => void
}

interface DataTableProps<Row> {
  /** Says what the table lists, for readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Rows of 44 px, for lists that are worked through. The user's own choice (`DensitySwitch`) goes further: 36 px. */
  isCompact?: boolean
  /** The order of the rows, where heads of columns can change it. */
  order?: Order
}

/** A table that becomes a list of cards below 640 px. One DOM for both: the roles keep its meaning when CSS takes it apart. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  isCompact = false,
  order,
}: DataTableProps<Row>) {
  const isDense = useIsCompact()
  return (
    <div className="relative overflow-x-auto rounded-box border border-line bg-surface">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: browsers drop a table's roles once it is laid out as blocks. */}
      <table role="table" aria-label={label} className="block w-full text-14 sm:table">
        <thead role="rowgroup" className="sr-only sm:not-sr-only sm:table-header-group">
          <tr role="row">
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y divide-line sm:table-row-group">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className="block p-4 transition-colors hover:bg-sunken/50 sm:table-row"
            >
              {columns.map(({ key, header, cell, align, isTitle, isEmpty }) => (
                <td
                  key={key}
                  role="cell"
                  className={cx(
                    'flex items-center justify-between gap-4 py-1 max-sm:wrap-anywhere sm:table-cell sm:px-4 sm:align-middle',
                    isDense ? 'sm:h-9 sm:py-0.5' : isCompact ? 'sm:h-11 sm:py-0.5' : 'sm:py-3',
                    align === 'right' && 'sm:text-right',
                    isTitle && 'font-medium wrap-anywhere sm:min-w-44',
                    isEmpty?.(row) && 'max-sm:hidden',
                  )}
                >
                  {!isTitle && (
                    <span aria-hidden className="shrink-0 text-ink-faint sm:hidden">
                      {header}
                    </span>
                  )}
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  )
}

/* biome-ignore-start lint/a11y/noRedundantRoles: see above */
interface HeadProps {
  column: Pick<Column<never>, 'header' | 'align' | 'sorts'>
  order: Order | undefined
}

function Head({ column: { header, align, sorts }, order }: HeadProps) {
  const now = sorts?.find(({ value }) => value === order?.value)
  const look = cx(
    'border-b border-line px-4 py-2 text-12 font-medium whitespace-nowrap text-ink-faint',
    align === 'right' ? 'text-right' : 'text-left',
  )
  if (!sorts || !order) {
    return (
      <th role="columnheader" scope="col" className={look}>
        {header}
      </th>
    )
  }
  const next = sorts[(now ? sorts.indexOf(now) + 1 : 0) % sorts.length] ?? sorts[0]
  const Icon = now ? (now.direction === 'ascending' ? ArrowUp : ArrowDown) : ChevronsUpDown
  return (
    <th role="columnheader" scope="col" aria-sort={now?.direction ?? 'none'} className={look}>
      <span className="sm:hidden">{header}</span>
      <button
        type="button"
        onClick={() => order.onChange(next.value)}
        className={cx(
          'relative hidden items-center gap-1 after:absolute after:-inset-2 hover:text-ink sm:inline-flex',
          now && 'text-ink',
        )}
      >
        {header}
        <Icon aria-hidden className="size-3" />
      </button>
    </th>
  )
}
/* biome-ignore-end lint/a11y/noRedundantRoles: see above */
