import type { SellerReview } from '@agent-marketplace/contract'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoadMore } from '../../../components/lists/LoadMore.tsx'
import { Card, Section } from '../../../components/page/Card.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { OneReview } from '../reputation/OneReview.tsx'

interface SellerReviewsProps {
  found: UseInfiniteQueryResult<InfiniteData<{ data: SellerReview[] }>>
}

/** What clients said about all the agents, newest first. */
export function SellerReviews({ found }: SellerReviewsProps) {
  const reviews = found.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Section title="Reviews">
      {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
      {found.data && reviews.length === 0 && (
        <EmptyState title="No reviews yet">
          Clients review a job once it is completed. Reviews appear here.
        </EmptyState>
      )}
      {reviews.length > 0 && (
        <Card padding="none">
          <ul className="divide-y divide-line">
            {reviews.map((review) => (
              <li key={review.id} className="p-4 sm:px-6">
                <OneReview
                  review={review}
                  agentName={review.agentName}
                  about={<AgentLink review={review} />}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <LoadMore list={found} />
    </Section>
  )
}

function AgentLink({ review: { agentName, agentWallet } }: { review: SellerReview }) {
  return (
    <Link
      to="/agents/$wallet"
      params={{ wallet: agentWallet }}
      className="relative self-start text-14 font-medium underline decoration-edge underline-offset-4 after:absolute after:-inset-2 hover:decoration-ink"
    >
      {agentName}
    </Link>
  )
}
