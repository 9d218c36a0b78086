import type { ExplainedReputation } from '@agent-marketplace/contract'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { exclusionWords, reductionWords } from './score-words.ts'

/** How “best rated” ranks this agent. Its line is there at once, so that nothing moves when the arithmetic arrives. */
export function ScoreArithmetic({
  score,
  explained,
}: {
  score: number
  explained: ExplainedReputation | undefined
}) {
  return (
    <details className="border-t border-line pt-4 text-14">
      <summary className="min-h-11 cursor-pointer py-2.5">
        <span className="font-medium">Score {score.toFixed(2)}</span>
        <span className="ml-2 text-ink-muted">how “best rated” ranks this agent</span>
      </summary>
      {explained ? <Sum reputation={explained} /> : <Skeleton className="mt-2 h-24" />}
    </details>
  )
}

/** Every review with what it weighs, or why it does not count. */
function Sum({ reputation }: { reputation: ExplainedReputation }) {
  const { score, scoreWeight, arithmetic } = reputation
  const { priorRating, priorWeight, reviews, notCounted } = arithmetic
  const lifted = (score * (priorWeight + scoreWeight) - priorWeight * priorRating).toFixed(2)
  const weight = scoreWeight.toFixed(2)
  return (
    <div className="flex flex-col gap-3 pt-2">
      <p className="text-ink-muted">
        Every agent starts at {priorRating}. Reviews lift it by what cannot be had back: the fee that was
        paid, and how independent the buyer is.
      </p>
      <p className="font-mono text-12 wrap-anywhere">
        ({priorWeight} × {priorRating} + {lifted}) ÷ ({priorWeight} + {weight}) = {score.toFixed(2)}
      </p>
      <ul aria-label="What each review weighs" className="flex flex-col gap-2">
        {reviews.map((review) => (
          <li key={review.reviewId} className="flex flex-wrap gap-x-3">
            <span className="font-medium">
              {review.rating} {review.rating === 1 ? 'star' : 'stars'}
            </span>
            {review.notCountedBecause === null ? (
              <>
                <span className="font-mono">weighs {review.weight.toFixed(3)}</span>
                <span className="text-ink-muted">
                  {review.reductions.map((reduction) => reductionWords[reduction]).join(', ')}
                </span>
              </>
            ) : (
              <span className="text-ink-muted">
                does not count: {exclusionWords[review.notCountedBecause]}
              </span>
            )}
          </li>
        ))}
      </ul>
      {Object.keys(notCounted).length > 0 && (
        <p className="text-ink-muted">
          {Object.values(notCounted).reduce((sum, count) => sum + count, 0)} in all do not count.
        </p>
      )}
    </div>
  )
}
