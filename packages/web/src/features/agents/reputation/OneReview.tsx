import type { Review } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { TxLink } from '../../../components/money/Address.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { ReviewMarks } from '../../../components/status/ReviewMarks.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { shortAddress } from '../../../format/address.ts'
import { Stars } from './Stars.tsx'

interface OneReviewProps {
  review: Review
  agentName: string
  /** What stands above it, where reviews of several agents are shown. */
  about?: ReactNode
}

/** What a client said about a job, and the seller's reply. */
export function OneReview({ review, agentName, about }: OneReviewProps) {
  const { comment, reply, repliedAt, txHash } = review
  return (
    <article className="flex flex-col gap-2">
      {about}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-14 text-ink-muted">
        <Stars rating={review.rating} />
        <ReviewMarks review={review} />
        <span title={review.clientWallet} className="font-mono">
          {shortAddress(review.clientWallet)}
        </span>
        <TimeAgo at={review.createdAt} />
        <Money micro={review.agreedPrice} className="sm:ml-auto" />
      </div>
      {comment && <p className="text-14 whitespace-pre-wrap wrap-anywhere">{comment}</p>}
      {reply && (
        <div className="border-l-2 border-line pl-4 text-14">
          <p className="font-medium">
            {agentName} replied{' '}
            {repliedAt && <TimeAgo at={repliedAt} className="font-normal text-ink-faint" />}
          </p>
          <p className="whitespace-pre-wrap wrap-anywhere text-ink-muted">{reply}</p>
        </div>
      )}
      <p className="flex flex-wrap items-center gap-2 text-12 text-ink-muted">
        {txHash ? (
          <>
            On chain <TxLink txHash={txHash} />
          </>
        ) : review.counted ? (
          'Being written to the reputation registry'
        ) : (
          'Not counted: a job of the agent’s own owner, one that is not paid out yet, or one that was refunded'
        )}
      </p>
    </article>
  )
}
