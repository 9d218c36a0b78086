import { Star } from 'lucide-react'
import { cx } from '../design/cx.ts'

interface RatingProps {
  /** 0 to 5; 0 without any review. */
  average: number
  /** How many reviews are behind it. */
  count: number
  /** How many completed jobs are behind the agent. */
  jobs?: number
  className?: string
}

/** A rating with the number of completed jobs behind it: one star of five from one job says little, and shows it. */
export function Rating({ average, count, jobs, className }: RatingProps) {
  const behind = jobs === undefined ? '' : ` · ${jobs.toLocaleString('en')} ${jobs === 1 ? 'job' : 'jobs'}`
  if (count === 0) {
    return (
      <span className={cx('text-14 text-ink-muted', className)}>{jobs ? `No reviews${behind}` : 'New'}</span>
    )
  }
  return (
    <span className={cx('inline-flex items-center gap-1 text-14 whitespace-nowrap', className)}>
      <Star aria-hidden className="size-4 fill-current text-review" />
      <span className="font-medium">
        <span className="sr-only">Rated </span>
        {average.toFixed(1)}
        <span className="sr-only"> of 5</span>
      </span>
      <span className="text-ink-muted">
        ({count.toLocaleString('en')}){behind}
      </span>
    </span>
  )
}
