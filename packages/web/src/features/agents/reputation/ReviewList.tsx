import { useInfiniteQuery } from '@tanstack/react-query'
import { LoadMore } from '../../../components/lists/LoadMore.tsx'
import { Card, Section } from '../../../components/page/Card.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { agentReviewsQuery } from '../../../data/agents/agents.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { OneReview } from './OneReview.tsx'

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
          <LoadMore
            list={found}
            summary={
              found.hasNextPage ? `${reviews.length} of ${total.toLocaleString('en')} reviews` : undefined
            }
          />
        </>
      )}
    </Section>
  )
}
