import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { LoadMore } from '../../components/lists/LoadMore.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { TableSkeleton } from '../../components/page/Skeleton.tsx'

interface PagedTableProps<Row> {
  label: string
  query: UseInfiniteQueryResult<InfiniteData<{ rows: Row[]; total: number }>>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** What will appear here, and why nothing does now. */
  empty: { title: string; text: string; action?: ReactNode }
}

/** A list of the console in its four looks: being read, refused, empty, there. */
export function PagedTable<Row>({ label, query, columns, rowKey, empty }: PagedTableProps<Row>) {
  if (query.isPending) return <TableSkeleton />
  if (query.isLoadingError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  const total = query.data?.pages.at(-1)?.total ?? rows.length
  if (rows.length === 0)
    return (
      <EmptyState title={empty.title} action={empty.action}>
        {empty.text}
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-2">
      <DataTable label={label} columns={columns} rows={rows} rowKey={rowKey} isCompact />
      {query.isFetchNextPageError && <ErrorState error={query.error} />}
      <LoadMore list={query} summary={`${rows.length} of ${total}`} />
    </div>
  )
}
