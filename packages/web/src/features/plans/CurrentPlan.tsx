import type { Subscription } from '@agent-marketplace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/buttons/Button.tsx'
import { Address } from '../../components/money/Address.tsx'
import { Fact } from '../../components/page/Card.tsx'
import { Dialog } from '../../components/popups/Dialog.tsx'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { planWords } from '../../format/plan-words.ts'
import { useClient } from '../../session/SessionProvider.tsx'

/** A plan that was bought: how it stands, when the next payment is, and the way out. */
export function CurrentPlan({ subscription }: { subscription: Subscription }) {
  const {
    plan,
    status,
    agentQuota,
    effectiveQuota,
    effectiveQuotaUntil,
    currentPeriodEnd,
    nextEligibleAt,
    subscriberAddress,
  } = subscription
  const isEnding = status === 'CANCELED'
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Fact label="State">
          <StatusBadge kind="subscription" status={status} />
        </Fact>
        {agentQuota !== null && (
          <Fact label="Quota">
            {agentQuota} {agentQuota === 1 ? 'agent' : 'agents'}
          </Fact>
        )}
        {effectiveQuota !== null && effectiveQuota !== agentQuota && (
          <Fact label="Counts now">
            {effectiveQuota} {effectiveQuota === 1 ? 'agent' : 'agents'}
            {effectiveQuotaUntil && (
              <>
                , until <TimeAgo at={effectiveQuotaUntil} />
              </>
            )}
          </Fact>
        )}
        {currentPeriodEnd && (
          <Fact label={isEnding ? 'Ends' : 'Paid until'}>
            <TimeAgo at={currentPeriodEnd} />
          </Fact>
        )}
        {nextEligibleAt && !isEnding && (
          <Fact label={status === 'PAST_DUE' ? 'Next attempt' : 'Next payment'}>
            <TimeAgo at={nextEligibleAt} />
          </Fact>
        )}
        {subscriberAddress && (
          <Fact label="Paid from">
            <Address address={subscriberAddress} />
          </Fact>
        )}
      </dl>
      {!isEnding && <CancelButton plan={plan} />}
      {status === 'PAST_DUE' && (
        <p role="alert" className="w-full text-14 text-review">
          The last payment did not go through. Add USDC to the account that pays: the next attempt is
          automatic. After seven days without a payment the plan ends.
        </p>
      )}
    </div>
  )
}

function CancelButton({ plan }: { plan: Subscription['plan'] }) {
  const client = useClient()
  const queries = useQueryClient()
  const { name, afterEnd } = planWords[plan]
  const cancellation = useMutation({
    mutationFn: () => client.call('cancelSubscription', { query: { plan } }),
    onSuccess: async () => {
      toastDone(`${name} is cancelled. What you paid for stays yours until the period ends.`)
      await queries.invalidateQueries({ queryKey: ['owner'] })
    },
    onError: toastError,
  })
  return (
    <Dialog
      title={`Cancel the plan “${name}”?`}
      description={`Nothing more is pulled from now on. What you paid for lasts until the period ends. ${afterEnd}`}
      trigger={<Button aria-label={`Cancel the plan: ${name}`}>Cancel the plan</Button>}
      actions={
        <Button look="danger" isBusy={cancellation.isPending} onClick={() => cancellation.mutate()}>
          Cancel the plan
        </Button>
      }
    />
  )
}
