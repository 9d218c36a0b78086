import type { OwnAgent, Withdrawal } from '@agent-marketplace/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { toastDone } from '../../../components/popups/toast.ts'
import { usdcText } from '../../../format/money.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { useTrackTx } from '../../../transactions/TransactionProvider.tsx'

interface WithdrawInput {
  agent: Pick<OwnAgent, 'id' | 'name'>
  onDone: () => void
}

/** Asks for a withdrawal and begins its story; the service sends it by itself. */
export function useWithdraw({ agent, onDone }: WithdrawInput): UseMutationResult<Withdrawal, Error, bigint> {
  const client = useClient()
  const queries = useQueryClient()
  const { track } = useTrackTx()
  return useMutation({
    mutationFn: (amountMicro: bigint) =>
      client.createWithdrawal({ agentId: agent.id, amount: amountMicro.toString() }),
    onSuccess: ({ id, amount }) => {
      const words = `${usdcText(BigInt(amount))} USDC`
      track({ kind: 'withdrawal', label: `Withdraw ${words} from ${agent.name}`, withdrawalId: id })
      for (const key of ['owner', 'balance']) queries.invalidateQueries({ queryKey: [key] })
      toastDone(`${words} are being sent to your wallet.`)
      onDone()
    },
  })
}
