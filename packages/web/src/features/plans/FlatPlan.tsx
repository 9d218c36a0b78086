import { flatPlanPricesMicro } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Money } from '../../components/money/Money.tsx'
import { Card } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { subscriptionQuery } from '../../data/account/owner.ts'
import { planWords } from '../../format/plan-words.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { CurrentPlan } from './CurrentPlan.tsx'
import { PayButton } from './PayButton.tsx'
import { PlanStory } from './PlanStory.tsx'
import type { Payer } from './usePayer.ts'

interface FlatPlanProps {
  plan: keyof typeof flatPlanPricesMicro
  payer: Payer
}

/** A plan with one price. */
export function FlatPlan({ plan, payer }: FlatPlanProps) {
  const subscription = useQuery(subscriptionQuery(useClient(), plan))
  const { name, what } = planWords[plan]
  const priceMicro = flatPlanPricesMicro[plan]
  const isLive = subscription.data && subscription.data.status !== 'CANCELED'
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-14">
          <Money micro={priceMicro} /> <span className="text-ink-muted">every 30 days</span>
        </p>
      </div>
      <p className="flex-1 text-14 text-ink-muted">{what}</p>
      {subscription.error && subscription.data === undefined && (
        <ErrorState error={subscription.error} onRetry={() => subscription.refetch()} />
      )}
      {subscription.data && <CurrentPlan subscription={subscription.data} />}
      {subscription.data !== undefined && !isLive && (
        <PayButton
          look="secondary"
          order={{ plan, isUpgrade: false }}
          verb="Subscribe"
          chargeMicro={priceMicro}
          payer={payer}
        />
      )}
      <PlanStory plan={plan} />
    </Card>
  )
}
