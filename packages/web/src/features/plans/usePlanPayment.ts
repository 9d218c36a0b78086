import type { SubscriptionPlan } from '@agent-marketplace/contract'
import type { Signer } from '@agent-marketplace/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastDone } from '../../components/popups/toast.ts'
import { loadCode } from '../../data/connection/load-code.ts'
import { configQuery } from '../../data/platform/config.ts'
import { rpcUrlOf } from '../../data/platform/platform-config.ts'
import { useClient, useSessionStore } from '../../session/SessionProvider.tsx'
import { readHeight } from '../../transactions/rpc.ts'
import { useTransactionStore } from '../../transactions/TransactionProvider.tsx'
import { useSignedStory } from '../../transactions/useSignedStory.ts'

export interface PlanOrder {
  plan: SubscriptionPlan
  agentQuota?: number | undefined
  isUpgrade: boolean
  label: string
  payer: Signer
}

/** Signs the permission and has the first amount pulled. The response comes once the money has moved, or is late. */
export function usePlanPayment() {
  const client = useClient()
  const { reader } = useSessionStore()
  const queries = useQueryClient()
  const stories = useTransactionStore()
  const withSignedStory = useSignedStory()
  return useMutation({
    mutationFn: async ({ plan, agentQuota, isUpgrade, label, payer }: PlanOrder) => {
      const fromBlock = await readHeight(rpcUrlOf(await queries.ensureQueryData(configQuery(reader))))
      const { payer: observed, hashOf } = await observePermission(payer)
      const story = () =>
        ({ kind: 'subscription', label, permission: { plan, hash: hashOf(), fromBlock } }) as const
      return withSignedStory(story, async () => {
        const isPaid =
          isUpgrade && agentQuota !== undefined
            ? // Until a larger quota is paid, the response still has the smaller one.
              (await client.upgradeSubscription(agentQuota, { payer: observed })).agentQuota === agentQuota
            : (await client.subscribe({ plan, agentQuota }, { payer: observed })).status === 'ACTIVE'
        const begun = stories?.list().find(({ permission }) => permission?.hash === hashOf())
        // Which transaction it was, the chain says; from there on it is followed like any other.
        if (begun) stories?.learn(begun.id, { state: isPaid ? 'confirmed' : 'sent' })
        return isPaid
      })
    },
    onSuccess: async (isPaid) => {
      // Shown once the page has it, so that new input is not overtaken by the plan's arrival.
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['owner'] }),
        queries.invalidateQueries({ queryKey: ['agents'] }),
        queries.invalidateQueries({ queryKey: ['balance'] }),
      ])
      toastDone(isPaid ? 'Your plan is active.' : 'The payment is pending.')
    },
  })
}

/** The same payer, which remembers the hash of the permission that it was asked to sign. */
async function observePermission(payer: Signer): Promise<{ payer: Signer; hashOf: () => string }> {
  const { hashPermission } = await loadCode(() => import('./smart-account.ts'))
  let hash: string | undefined
  return {
    payer: {
      address: payer.address,
      signMessage: (message) => payer.signMessage(message),
      signTypedData: (permission) => {
        hash = hashPermission(permission)
        return payer.signTypedData(permission)
      },
    },
    hashOf: () => {
      if (hash === undefined) throw new Error('nothing was signed yet')
      return hash
    },
  }
}
