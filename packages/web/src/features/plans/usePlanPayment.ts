import type { SubscriptionPlan } from '@agent-marketplace/contract'
import type { Signer } from '@agent-marketplace/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { tellDone } from '../../components/toast.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { useTransactionStore } from '../../transactions/TransactionProvider.tsx'
import { useSignedStory } from '../../transactions/useSignedStory.ts'

export interface PlanOrder {
  plan: SubscriptionPlan
  agentQuota?: number | undefined
  isUpgrade: boolean
  label: string
  payer: Signer
}

/** Signs the permission and has the first amount pulled. The answer comes once the money has moved, or is late. */
export function usePlanPayment() {
  const client = useClient()
  const queries = useQueryClient()
  const stories = useTransactionStore()
  const tellSigned = useSignedStory()
  return useMutation({
    mutationFn: ({ plan, agentQuota, isUpgrade, label, payer }: PlanOrder) =>
      tellSigned({ kind: 'subscription', label }, async () => {
        const { status } =
          isUpgrade && agentQuota !== undefined
            ? await client.upgradeSubscription(agentQuota, { payer })
            : await client.subscribe({ plan, ...(agentQuota !== undefined && { agentQuota }) }, { payer })
        const story = stories?.list().find(({ kind }) => kind === 'subscription')
        if (story && status === 'ACTIVE') stories?.learn(story.id, { state: 'final' })
        return status
      }),
    onSuccess: async (status) => {
      // Told once the page shows it, so that what is typed next is not overtaken by the plan's arrival.
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['owner'] }),
        queries.invalidateQueries({ queryKey: ['agents'] }),
        queries.invalidateQueries({ queryKey: ['balance'] }),
      ])
      tellDone(status === 'ACTIVE' ? 'Your plan is active.' : 'The payment is on its way.')
    },
  })
}
