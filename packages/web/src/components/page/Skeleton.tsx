import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'

const keys = (count: number) => Array.from({ length: count }, (_, index) => `place-${index}`)

/** A placeholder for content that is loading. Give it the size of that content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('block animate-pulse rounded-box bg-line/60', className)} />
}

export function TextSkeleton({ lines = 3 }: { lines?: number }) {
  return (
    <span className="flex flex-col gap-2">
      {keys(lines).map((key, index) => (
        <Skeleton key={key} className={cx('h-4', index === lines - 1 ? 'w-2/3' : 'w-full')} />
      ))}
    </span>
  )
}

/** Cards in a grid, as the browse page shows them. */
export function CardGridSkeleton({ count = 6, className = 'h-44' }: { count?: number; className?: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
      {keys(count).map((key) => (
        <Skeleton key={key} className={className} />
      ))}
    </div>
  )
}

export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className="divide-y divide-line rounded-box border border-line bg-surface">
      {keys(rows).map((key) => (
        <div key={key} className="flex items-center gap-4 p-4">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-1/6" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  )
}

interface LoadingProps {
  /** What is loading. */
  label: string
  className?: string
  children: ReactNode
}

/** A whole page that is not there yet. Its heading is for readers; the focus waits for the page's own. */
export function Loading({ label, className = 'flex flex-col gap-8', children }: LoadingProps) {
  return (
    <div role="status" aria-label={label} className={className}>
      <h1 className="sr-only">{label}</h1>
      {children}
    </div>
  )
}

/** A page whose code is loading. */
export function PageSkeleton() {
  return (
    <Loading label="Loading">
      <Skeleton className="h-9 w-64 max-w-full" />
      <CardGridSkeleton count={3} />
    </Loading>
  )
}
