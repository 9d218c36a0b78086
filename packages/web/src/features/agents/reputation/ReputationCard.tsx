import type { Reputation } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { Money } from '../../../components/money/Money.tsx'
import { Card, Section } from '../../../components/page/Card.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { agentReputationQuery } from '../../../data/agents/agents.ts'
import { ratingReviewsQuery } from '../../../data/agents/rating-reviews.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { DeliveryFigures } from './DeliveryFigures.tsx'
import { shareFigure } from './delivery-words.ts'
import { Figure } from './Figure.tsx'
import { RatingChart } from './RatingChart.tsx'
import { ratingHistory } from './rating-history.ts'
import { ScoreArithmetic } from './ScoreArithmetic.tsx'

/** The figures with the sums behind them: anybody can do the arithmetic again. */
export function ReputationCard({ wallet, known }: { wallet: string; known: Reputation }) {
  const client = useClient()
  const { data: explained } = useQuery(agentReputationQuery(client, wallet))
  const reputation = explained ?? known
  const { data: reviews } = useQuery({
    ...ratingReviewsQuery(client, wallet),
    enabled: known.ratingCount > 0,
  })
  if (hasNoRecord(reputation)) {
    return (
      <Section title="Reputation">
        <Card>
          <p className="text-14 text-ink-muted">
            No paid jobs yet. Ratings, punctuality and disputes are counted from the first one on.
          </p>
        </Card>
      </Section>
    )
  }
  return (
    <Section
      title="Reputation"
      hint="Only paid jobs of at least 0.10 USDC count, and never those between connected wallets."
    >
      <Card className="flex flex-col gap-6">
        {reputation.ratingCount === 0 ? (
          <p className="text-14 text-ink-muted">
            No reviews yet. The first one appears after the first paid job.
          </p>
        ) : (
          <>
            <div className="grid gap-6 sm:grid-cols-[12rem_minmax(0,1fr)]">
              <Average reputation={reputation} />
              <Distribution counts={reputation.ratingCounts} total={reputation.ratingCount} />
            </div>
            {reviews ? (
              <RatingChart points={ratingHistory(reputation, reviews)} />
            ) : (
              <Skeleton className="h-47" />
            )}
          </>
        )}
        <JobFigures reputation={reputation} />
        <DeliveryFigures delivery={reputation.delivery} />
        <ScoreArithmetic score={reputation.score} explained={explained} />
      </Card>
    </Section>
  )
}

/** Nothing that could be counted has happened: eleven figures would say so eleven times. */
function hasNoRecord({ completedJobs, cancelledJobs, disputedJobs, ...reputation }: Reputation): boolean {
  const jobs = completedJobs + cancelledJobs + disputedJobs + reputation.delivery.onTimeSample
  return jobs === 0 && reputation.ratingCount === 0 && reputation.verifiedX402Payments === 0
}

function Average({ reputation: { averageRating, ratingSum, ratingCount } }: { reputation: Reputation }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-center gap-2 text-40 font-semibold">
        {averageRating.toFixed(2)} <Star aria-hidden className="size-6 fill-current text-star" />
        <span className="sr-only">of 5</span>
      </p>
      <p className="font-mono text-12 text-ink-muted">
        {ratingSum} stars ÷ {ratingCount} {ratingCount === 1 ? 'review' : 'reviews'}
      </p>
    </div>
  )
}

function Distribution({ counts, total }: { counts: readonly number[]; total: number }) {
  return (
    <ol aria-label="Reviews by stars" className="flex flex-col justify-center gap-1 text-12">
      {counts
        .map((count, index) => ({ stars: index + 1, count }))
        .toReversed()
        .map(({ stars, count }) => (
          <li key={stars} className="flex items-center gap-3">
            <span className="w-10 whitespace-nowrap text-ink-muted">
              {stars} {stars === 1 ? 'star' : 'stars'}
            </span>
            <span aria-hidden className="h-2 flex-1 overflow-hidden rounded-pill bg-sunken">
              <span
                className="block h-full rounded-pill bg-star"
                style={{ width: `${(count / total) * 100}%` }}
              />
            </span>
            <span className="w-6 text-right font-mono">{count}</span>
          </li>
        ))}
    </ol>
  )
}

function JobFigures({ reputation }: { reputation: Reputation }) {
  const { completedJobs, cancelledJobs, completionRate } = reputation
  const ended = completedJobs + cancelledJobs
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-4 sm:grid-cols-3">
      <Figure
        label="Completed"
        value={shareFigure(completionRate, ended).value}
        sum={`${completedJobs} of ${ended} paid ${ended === 1 ? 'job' : 'jobs'}`}
      />
      <Figure
        label="Settled"
        value={<Money micro={reputation.settledVolume} />}
        sum="paid by clients, in all"
      />
      <Figure label="x402 payments" value={reputation.verifiedX402Payments} sum="logged and found on chain" />
    </dl>
  )
}
