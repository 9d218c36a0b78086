import { Star } from 'lucide-react'

interface RatingProps {
  /** 0 to 5; 0 without any review. */
  average: number
  /** How many reviews are behind it. */
  count: number
}

/** A rating with the number of reviews behind it: five stars from one review say little, and it shows. */
export function Rating({ average, count }: RatingProps) {
  if (count === 0) return <span className="text-14 text-ink-muted">No reviews</span>
  return (
    <span className="inline-flex items-center gap-1 align-top text-14 whitespace-nowrap">
      <Star aria-hidden className="size-4 fill-current text-star" />
      <span className="font-medium">
        <span className="sr-only">Rated </span>
        {average.toFixed(1)}
        <span className="sr-only"> of 5</span>
      </span>
      <span className="text-ink-muted">({count.toLocaleString('en')})</span>
    </span>
  )
}
