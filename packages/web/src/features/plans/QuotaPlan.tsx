import { MAX_AGENT_QUOTA, priceForQuota } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { QuotaCurve } from '../../components/charts/QuotaCurve.tsx'
import { Field } from '../../components/forms/Field.tsx'
import { Slider, TextInput } from '../../components/forms/inputs.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Card, Section } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { meQuery, subscriptionQuery } from '../../data/account/owner.ts'
import { upgradeQuoteQuery } from '../../data/account/plan-quote.ts'
import { upToCent } from '../../format/money.ts'
import { nextTierWords, runningCount } from '../../format/quota.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { CurrentPlan } from './CurrentPlan.tsx'
import { PayButton } from './PayButton.tsx'
import { PlanStory } from './PlanStory.tsx'
import { firstQuota, leastQuota, livePlan, readQuota } from './quota-choice.ts'
import type { Payer } from './usePayer.ts'

/** The slider reaches as far as most people go; the number beside it reaches to the end. */
const SLIDER_END = 150

/** How many agents may run at once: what there is, and what more would cost. */
export function QuotaPlan({ payer }: { payer: Payer }) {
  const client = useClient()
  const plan = useQuery(subscriptionQuery(client, 'AGENT_QUOTA'))
  const me = useQuery(meQuery(client))
  if (plan.data === undefined) return <ErrorState error={plan.error} onRetry={() => plan.refetch()} />
  const live = livePlan(plan.data)
  const least = leastQuota(plan.data)
  const running = me.data ? runningCount(me.data.agents) : undefined
  return (
    <Section
      title="Agent quota"
      hint={`${running === undefined ? '' : `${running} running. `}One agent runs free. For more you buy a quota: the larger it is, the less each agent costs.`}
    >
      {plan.data && (
        <Card>
          <CurrentPlan subscription={plan.data} />
        </Card>
      )}
      <PlanStory plan="AGENT_QUOTA" />
      {live && live.status !== 'ACTIVE' ? (
        <p className="text-14 text-ink-muted">You can raise the quota once its payment has arrived.</p>
      ) : (
        <Picker key={least} least={least} isUpgrade={live !== undefined} payer={payer} />
      )}
    </Section>
  )
}

function Picker({ least, isUpgrade, payer }: { least: number; isUpgrade: boolean; payer: Payer }) {
  const { quota: wanted = '' } = useSearch({ from: '/sell/plans' })
  const [typed, setTyped] = useState(String(readQuota(wanted, least) ?? firstQuota(least)))
  const quota = readQuota(typed, least)
  if (least > MAX_AGENT_QUOTA)
    return <p className="text-14 text-ink-muted">You have the largest quota there is.</p>
  return (
    <Card className="flex flex-col gap-6">
      <div className="flex flex-wrap items-end gap-6">
        <div className="min-w-0 flex-1 basis-72">
          <Field label={isUpgrade ? 'Raise it to' : 'How many agents'} isRequired>
            <Slider
              min={least}
              max={Math.max(SLIDER_END, least + 50)}
              value={quota ?? least}
              valueText={String(quota ?? least)}
              onChange={({ target }) => setTyped(target.value)}
            />
          </Field>
        </div>
        <div className="w-32">
          <Field
            label="Exactly"
            isRequired
            error={quota === undefined ? `A whole number from ${least} to ${MAX_AGENT_QUOTA}.` : undefined}
          >
            <TextInput inputMode="numeric" value={typed} onChange={({ target }) => setTyped(target.value)} />
          </Field>
        </div>
        <QuotaCurve quota={quota ?? least} />
      </div>
      {quota !== undefined && <Price quota={quota} isUpgrade={isUpgrade} payer={payer} />}
    </Card>
  )
}

function Price({ quota, isUpgrade, payer }: { quota: number; isUpgrade: boolean; payer: Payer }) {
  const client = useClient()
  const asked = useDeferredValue(quota)
  const priceMicro = priceForQuota(quota)
  const quote = useQuery({
    ...upgradeQuoteQuery(client, asked, payer.signer?.address),
    enabled: isUpgrade && payer.signer !== undefined,
  })
  // The rest of the period costs less by the second: what is shown is the most that will be pulled.
  const chargeMicro = isUpgrade ? quote.data && upToCent(BigInt(quote.data.chargeNow)) : priceMicro
  return (
    <div className="flex flex-col gap-4">
      <dl className="flex max-w-md flex-col text-14">
        <div className="flex justify-between gap-4 py-1.5">
          <dt className="text-ink-muted">{quota} agents, every 30 days</dt>
          <dd>
            <Money micro={priceMicro} />
          </dd>
        </div>
        <div className="flex justify-between gap-4 border-t border-line py-1.5 font-medium">
          <dt>{isUpgrade ? 'Now at most, for the rest of this period' : 'Now, for the first 30 days'}</dt>
          <dd>
            {chargeMicro === undefined ? <Skeleton className="h-5 w-24" /> : <Money micro={chargeMicro} />}
          </dd>
        </div>
      </dl>
      <p className="text-14 text-ink-muted">{nextTierWords(quota, false)}</p>
      {quote.error && <ErrorState error={quote.error} onRetry={() => quote.refetch()} />}
      <PayButton
        order={{ plan: 'AGENT_QUOTA', agentQuota: quota, isUpgrade }}
        verb={isUpgrade ? `Raise to ${quota} agents` : `Buy ${quota} agents`}
        chargeMicro={chargeMicro}
        payer={payer}
      />
    </div>
  )
}
