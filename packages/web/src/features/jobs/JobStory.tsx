import { TxStory } from '../../components/money/TxStory.tsx'
import { isWorthTelling } from '../../transactions/story.ts'
import { useJobTransaction, useTrackTx } from '../../transactions/TransactionProvider.tsx'

/** My newest transaction about this job, from the signature until it is final. */
export function JobStory({ jobId }: { jobId: string }) {
  const transaction = useJobTransaction(jobId)
  const { forget } = useTrackTx()
  if (!transaction || !isWorthTelling(transaction, Date.now())) return null
  return (
    <div className="border-t border-line pt-4">
      <TxStory transaction={transaction} onDismiss={() => forget(transaction.id)} />
    </div>
  )
}
