import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../page/ErrorState.tsx'
import { TableSkeleton } from '../page/Skeleton.tsx'
import { LoadMore } from './LoadMore.tsx'

interface PagedRowsProps<Row> {
  list: UseInfiniteQueryResult<InfiniteData<unknown>>
  /** Of all pages that are there; undefined before the first. */
  rows: readonly Row[] | undefined
  empty: ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

/** A list that comes page by page, in its four states. */
export function PagedRows<Row>({ list, rows, empty, children }: PagedRowsProps<Row>) {
  if (!rows)
    return list.error ? (
      <ErrorState error={list.error} onRetry={() => list.refetch()} />
    ) : (
      <TableSkeleton rows={8} />
    )
  if (rows.length === 0) return empty
  return (
    <>
      {children(rows)}
      <LoadMore list={list} summary={`${rows.length} shown`} />
    </>
  )
}
