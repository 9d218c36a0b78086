import { Button } from '../../components/Button.tsx'
import { TxStory } from '../../components/TxStory.tsx'
import { isOpen, isWorthTelling } from '../../transactions/story.ts'
import { useJobTransaction, useTrackTx } from '../../transactions/TransactionProvider.tsx'

/** My newest transaction about this job, from the signature until it is final. */
export function JobStory({ jobId }: { jobId: string }) {
  const transaction = useJobTransaction(jobId)
  const { forget } = useTrackTx()
  if (!transaction || !isWorthTelling(transaction, Date.now())) return null
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <TxStory transaction={transaction} />
      {!isOpen(transaction) && (
        <Button look="quiet" size="small" className="self-start" onClick={() => forget(transaction.id)}>
          Dismiss
        </Button>
      )}
    </div>
  )
}
