import { priceForQuota } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Card } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { PageSkeleton } from '../../components/page/Skeleton.tsx'
import { meQuery, subscriptionQuery } from '../../data/account/owner.ts'
import { nextTierWords, quotaOf, runningCount } from '../../format/quota.ts'
import { useClient } from '../../session/SessionProvider.tsx'

/** Whether there is room for another agent is said before anything is written, with the price of more and the way on. */
export function QuotaGate({ children }: { children: ReactNode }) {
  const client = useClient()
  const me = useQuery(meQuery(client))
  const plan = useQuery(subscriptionQuery(client, 'AGENT_QUOTA'))
  const error = me.error ?? plan.error
  if (me.data === undefined || plan.data === undefined) {
    return error ? (
      <div className="flex flex-col gap-6">
        <PageHeader title="New agent" />
        <ErrorState error={error} onRetry={() => Promise.all([me.refetch(), plan.refetch()])} />
      </div>
    ) : (
      <PageSkeleton />
    )
  }
  const quota = quotaOf(plan.data)
  const running = runningCount(me.data.agents)
  if (running < quota) return children
  const next = quota + 1
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Your plan is full"
        hint={`${running} of ${quota} ${quota === 1 ? 'agent runs' : 'agents run'}. Another one needs a larger quota.`}
      />
      <Card className="flex max-w-xl flex-col gap-4">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">Room for {next} agents</span>
          <span>
            <Money micro={priceForQuota(next)} /> <span className="text-ink-muted">every 30 days</span>
          </span>
        </p>
        <p className="text-14 text-ink-muted">{nextTierWords(quota, plan.data === null)}</p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/sell/plans" search={{ plan: 'AGENT_QUOTA', quota: String(next) }} look="primary">
            Raise the quota
          </ButtonLink>
          <ButtonLink to="/sell">Pause another agent</ButtonLink>
          <ButtonLink to="/pricing" look="quiet">
            All prices
          </ButtonLink>
        </div>
      </Card>
    </div>
  )
}
