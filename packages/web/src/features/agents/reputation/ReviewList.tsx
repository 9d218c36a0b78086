import type { Review } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { TxLink } from '../../../components/Address.tsx'
import { Card, Section } from '../../../components/Card.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { LoadMore } from '../../../components/LoadMore.tsx'
import { Money } from '../../../components/Money.tsx'
import { ReviewMarks } from '../../../components/ReviewMarks.tsx'
import { TextSkeleton } from '../../../components/Skeleton.tsx'
import { TimeAgo } from '../../../components/Time.tsx'
import { agentReviewsQuery } from '../../../data/agents/agents.ts'
import { shortAddress } from '../../../format/address.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { Stars } from './Stars.tsx'

/** What clients said, newest first, and the seller's replies. */
export function ReviewList({ wallet, agentName }: { wallet: string; agentName: string }) {
  const found = useInfiniteQuery(agentReviewsQuery(useClient(), wallet))
  const reviews = found.data?.pages.flatMap((page) => page.reviews)
  const total = found.data?.pages.at(-1)?.total ?? 0
  return (
    <Section title="Reviews">
      {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
      {!reviews && !found.error && (
        <Card>
          <TextSkeleton lines={6} />
        </Card>
      )}
      {reviews?.length === 0 && (
        <EmptyState title="No reviews yet">
          Clients review a job once it is completed. Reviews appear here.
        </EmptyState>
      )}
      {reviews && reviews.length > 0 && (
        <>
          <Card padding="none">
            <ul className="divide-y divide-line">
              {reviews.map((review) => (
                <li key={review.id} className="p-4 sm:px-6">
                  <OneReview review={review} agentName={agentName} />
                </li>
              ))}
            </ul>
          </Card>
          {found.hasNextPage && (
            <LoadMore
              hasMore
              isLoading={found.isFetchingNextPage}
              onLoadMore={() => found.fetchNextPage()}
              summary={`${reviews.length} of ${total.toLocaleString('en')} reviews`}
            />
          )}
        </>
      )}
    </Section>
  )
}

function OneReview({ review, agentName }: { review: Review; agentName: string }) {
  const { comment, reply, repliedAt, txHash } = review
  return (
    <article className="flex flex-col gap-2">
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
