import { Star } from 'lucide-react'
import { cx } from '../../../design/cx.ts'

const stars = [1, 2, 3, 4, 5]

export function Stars({ rating }: { rating: number }) {
  return (
    <span className="inline-flex">
      <span className="sr-only">{rating} of 5 stars</span>
      {stars.map((star) => (
        <Star
          key={star}
          aria-hidden
          className={cx('size-4', star <= rating ? 'fill-current text-star' : 'text-edge')}
        />
      ))}
    </span>
  )
}
