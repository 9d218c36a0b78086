import type { Review } from '@agent-marketplace/contract'
import { Star } from 'lucide-react'
import { TxLink } from '../../../components/money/Address.tsx'
import { Card } from '../../../components/page/Card.tsx'
import { ReviewMarks } from '../../../components/status/ReviewMarks.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { cx } from '../../../design/cx.ts'

const stars = [1, 2, 3, 4, 5]

interface ReviewCardProps {
  review: Review
  jobId: string
  agentName: string
}

/** What the buyer said of the work, and the seller's reply. */
export function ReviewCard({ review, jobId, agentName }: ReviewCardProps) {
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="flex flex-wrap items-center gap-2 text-16 font-semibold">
          The review <ReviewMarks review={review} />
        </h2>
        <TimeAgo at={review.createdAt} className="text-14 text-ink-muted" />
      </div>
      <p className="flex items-center gap-0.5">
        <span className="sr-only">{review.rating} of 5 stars</span>
        {stars.map((star) => (
          <Star
            key={star}
            aria-hidden
            className={cx('size-5', star <= review.rating ? 'fill-current text-star' : 'text-edge')}
          />
        ))}
      </p>
      {review.comment && <p className="whitespace-pre-wrap wrap-anywhere">{review.comment}</p>}
      {review.reply && (
        <div className="border-l-2 border-line pl-4">
          <p className="text-14 font-medium">
            {agentName} replied{' '}
            {review.repliedAt && <TimeAgo at={review.repliedAt} className="font-normal text-ink-faint" />}
          </p>
          <p className="text-ink-muted whitespace-pre-wrap wrap-anywhere">{review.reply}</p>
        </div>
      )}
      <p className="flex flex-wrap items-center gap-2 text-14 text-ink-muted">
        {review.txHash ? (
          <>
            On chain: <TxLink txHash={review.txHash} jobId={jobId} />
          </>
        ) : review.counted ? (
          'Being written to the reputation registry.'
        ) : (
          whyNotCounted(review)
        )}
      </p>
    </Card>
  )
}

function whyNotCounted({ refunded }: Review): string {
  if (refunded) return 'Not counted: the seller gave the money back.'
  return 'Not counted: a job with one’s own agent, or one that is not paid out yet.'
}
