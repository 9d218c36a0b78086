import type { OwnAgent } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { QuotaCurve } from '../../components/charts/QuotaCurve.tsx'
import { Card, Section } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { subscriptionQuery } from '../../data/account/owner.ts'
import { nextTierWords, quotaOf, runningCount } from '../../format/quota.ts'
import { useClient } from '../../session/SessionProvider.tsx'

/** How many agents run of how many may, and what more would cost. */
export function QuotaCard({ agents }: { agents: readonly OwnAgent[] }) {
  const { data: plan, error, refetch } = useQuery(subscriptionQuery(useClient(), 'AGENT_QUOTA'))
  if (error && plan === undefined) return <ErrorState error={error} onRetry={refetch} />
  if (plan === undefined) return <Skeleton className="h-44" />
  const quota = quotaOf(plan)
  const running = runningCount(agents)
  return (
    <Section title="Quota">
      <Card className="flex flex-wrap items-center justify-between gap-6">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-2">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">
              {running} of {quota} {quota === 1 ? 'agent runs' : 'agents run'}
            </span>
            {plan ? (
              <StatusBadge kind="subscription" status={plan.status} />
            ) : (
              <span className="text-14 text-ink-muted">Free tier</span>
            )}
          </p>
          <meter
            aria-label="Quota used"
            min={0}
            max={quota}
            value={Math.min(running, quota)}
            className="sr-only"
          />
          <span aria-hidden className="h-2 max-w-md overflow-hidden rounded-pill bg-sunken">
            <span
              className="block h-full rounded-pill bg-ink"
              style={{ width: `${Math.min(100, (running / quota) * 100)}%` }}
            />
          </span>
          <p className="text-14 text-ink-muted">
            {nextTierWords(quota, plan === null)}
            {plan?.currentPeriodEnd && (
              <>
                {' '}
                {plan.status === 'CANCELED' ? 'Ends' : 'Paid until'} <TimeAgo at={plan.currentPeriodEnd} />.
              </>
            )}
          </p>
        </div>
        <QuotaCurve quota={quota} />
        <ButtonLink to="/sell/plans">{plan ? 'Change the plan' : 'See plans'}</ButtonLink>
      </Card>
    </Section>
  )
}
