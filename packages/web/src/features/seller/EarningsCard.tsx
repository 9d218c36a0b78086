import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EarningsChart } from '../../components/charts/EarningsChart.tsx'
import { sumPoints } from '../../components/charts/earnings-points.ts'
import { Money } from '../../components/money/Money.tsx'
import { Card } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { earningsSeriesQuery } from '../../data/account/owner.ts'
import { useClient } from '../../session/SessionProvider.tsx'

/** What the agents earned in the last 30 days, by day and rail. */
export function EarningsCard() {
  const series = useQuery(earningsSeriesQuery(useClient(), {}))
  const points = series.data?.points
  const sum = points && sumPoints(points)
  return (
    <Card className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div>
          <h2 className="text-14 text-ink-muted">Earned in the last 30 days</h2>
          {sum ? (
            <Money micro={sum.escrowMicro + sum.x402Micro} className="text-28 font-semibold" />
          ) : (
            <Skeleton className="h-9 w-40" />
          )}
        </div>
        <Link
          to="/sell/earnings"
          className="relative text-14 underline decoration-edge underline-offset-4 after:absolute after:-inset-3 hover:decoration-ink"
        >
          All earnings
        </Link>
      </div>
      {points && <EarningsChart points={points} />}
      {!points && !series.error && <Skeleton className="h-68" />}
      {series.error && !points && <ErrorState error={series.error} onRetry={series.refetch} />}
    </Card>
  )
}
