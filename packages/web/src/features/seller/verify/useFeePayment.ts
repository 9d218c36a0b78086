import { KYC_FEE_MICRO } from '@agent-marketplace/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { toastDone } from '../../../components/popups/toast.ts'
import { usdcText } from '../../../format/money.ts'
import { useClient, useSessionStore } from '../../../session/SessionProvider.tsx'
import { isWorthTelling, type NewTransaction, type Transaction } from '../../../transactions/story.ts'
import { useTransactionStore, useTransactions } from '../../../transactions/TransactionProvider.tsx'
import { useSignedStory } from '../../../transactions/useSignedStory.ts'

/** Each call waits for the settlement itself, 20 seconds at most; so many of them are two minutes. */
const MOST_CALLS = 6

const feeStory = (): NewTransaction => ({
  kind: 'fee',
  label: `Pay the fee of ${usdcText(KYC_FEE_MICRO)} USDC`,
})

/** The newest payment of the fee, as long as it is worth showing. */
export function useFeeStory(): Transaction | undefined {
  const story = useTransactions().find(({ kind }) => kind === 'fee')
  return story && isWorthTelling(story, Date.now()) ? story : undefined
}

/** Pays the fee with one signature. Asking again sends the same signature, so nothing is paid twice. */
export function useFeePayment(): UseMutationResult<boolean, Error, void> {
  const client = useClient()
  const session = useSessionStore()
  const stories = useTransactionStore()
  const queries = useQueryClient()
  const withSignedStory = useSignedStory()
  return useMutation({
    mutationFn: () =>
      withSignedStory(feeStory, async () => {
        for (let call = 0; call < MOST_CALLS; call += 1) {
          const { payment } = await client.payKycFee()
          const story = stories?.list().find(({ kind }) => kind === 'fee')
          if (story && payment.txHash) stories?.learn(story.id, { state: 'sent', txHash: payment.txHash })
          if (payment.status === 'SETTLED') return true
        }
        return false
      }),
    onSuccess: async (isPaid) => {
      await Promise.all([session.refresh(), queries.invalidateQueries({ queryKey: ['owner'] })])
      queries.invalidateQueries({ queryKey: ['balance'] })
      if (isPaid) toastDone('The fee is paid.')
    },
  })
}
