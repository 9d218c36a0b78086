import { MAX_AGENT_QUOTA } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Section } from '../../components/page/Card.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { meQuery, subscriptionQuery } from '../../data/account/owner.ts'
import { upgradeQuoteQuery } from '../../data/account/plan-quote.ts'
import { RequireSeller } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { FlatPlan } from './FlatPlan.tsx'
import { PayerCard } from './PayerCard.tsx'
import { QuotaPlan } from './QuotaPlan.tsx'
import { firstQuota, leastQuota } from './quota-choice.ts'
import { type Payer, usePayer } from './usePayer.ts'

export function PlansPage() {
  return (
    <RequireSeller what="your plans">
      <Plans />
    </RequireSeller>
  )
}

function Plans() {
  const payer = usePayer()
  const areLoaded = usePlansLoaded(payer)
  return (
    <div className="flex flex-col gap-10">
      <PageHeader
        title="Plans"
        hint="You sign once for each plan. It is pulled every 30 days, never more than you signed for, until you cancel."
      />
      {areLoaded ? (
        <>
          <QuotaPlan payer={payer} />
          <PayerCard payer={payer} />
          <Section title="More plans">
            <div className="grid gap-4 lg:grid-cols-3">
              <FlatPlan plan="PREMIUM_LISTING" payer={payer} />
              <FlatPlan plan="API_ACCESS" payer={payer} />
              <FlatPlan plan="ENTERPRISE" payer={payer} />
            </div>
          </Section>
        </>
      ) : (
        <PlansSkeleton />
      )}
    </div>
  )
}

/**
 * Plan, payer and price each change how tall a card is, so the page appears once all of them are known: what is offered to
 * sign must not move under the pointer. Later news change it in place.
 */
function usePlansLoaded(payer: Payer): boolean {
  const [wereLoaded, setWereLoaded] = useState(false)
  const client = useClient()
  const plan = useQuery(subscriptionQuery(client, 'AGENT_QUOTA'))
  const me = useQuery(meQuery(client))
  const quota = firstQuota(leastQuota(plan.data))
  const quote = useQuery({
    ...upgradeQuoteQuery(client, quota, payer.signer?.address),
    enabled: plan.data?.status === 'ACTIVE' && payer.signer !== undefined && quota <= MAX_AGENT_QUOTA,
  })
  const areLoaded = !plan.isPending && !me.isPending && payer.isLoaded && !quote.isFetching
  if (areLoaded && !wereLoaded) setWereLoaded(true)
  return wereLoaded || areLoaded
}

function PlansSkeleton() {
  return (
    <>
      <Skeleton className="h-[26rem]" />
      <Skeleton className="h-40" />
      <div className="grid gap-4 lg:grid-cols-3">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
      </div>
    </>
  )
}
