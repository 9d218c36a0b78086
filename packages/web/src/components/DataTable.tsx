import type { ReactNode } from 'react'
import { cx } from '../design/cx.ts'

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'left' | 'right'
  /** Names the row: stands first and without its header on a phone. */
  isTitle?: boolean
}

interface DataTableProps<Row> {
  /** Says what the table lists, for readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Rows of 44 px, for lists that are worked through. */
  isCompact?: boolean
}

/** A table that becomes a list of cards below 640 px. One DOM for both: the roles keep its meaning when CSS takes it apart. */
export function DataTable<Row>({ label, columns, rows, rowKey, isCompact = false }: DataTableProps<Row>) {
  return (
    <div className="overflow-x-auto rounded-box border border-line bg-surface">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: browsers drop a table's roles once it is laid out as blocks. */}
      <table role="table" aria-label={label} className="block w-full text-14 sm:table">
        <thead role="rowgroup" className="sr-only sm:not-sr-only sm:table-header-group">
          <tr role="row">
            {columns.map(({ key, header, align }) => (
              <th
                key={key}
                role="columnheader"
                scope="col"
                className={cx(
                  'border-b border-line px-4 py-2 text-12 font-medium whitespace-nowrap text-ink-faint',
                  align === 'right' ? 'text-right' : 'text-left',
                )}
              >
                {header}
              </th>
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
              {columns.map(({ key, header, cell, align, isTitle }) => (
                <td
                  key={key}
                  role="cell"
                  className={cx(
                    'flex items-center justify-between gap-4 py-1 max-sm:wrap-anywhere sm:table-cell sm:px-4 sm:align-middle',
                    isCompact ? 'sm:h-11 sm:py-0.5' : 'sm:py-3',
                    align === 'right' && 'sm:text-right',
                    isTitle && 'font-medium wrap-anywhere sm:min-w-44',
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
