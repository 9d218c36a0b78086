import { Button } from '../../../components/Button.tsx'
import { Card } from '../../../components/Card.tsx'
import { TxStory } from '../../../components/TxStory.tsx'
import { isOpen, isWorthTelling } from '../../../transactions/story.ts'
import { useTrackTx, useTransactions } from '../../../transactions/TransactionProvider.tsx'

/** The withdrawals of this browser that are under way, or have just ended. */
export function WithdrawalStories() {
  const { forget } = useTrackTx()
  const stories = useTransactions().filter(
    (story) => story.kind === 'withdrawal' && isWorthTelling(story, Date.now()),
  )
  if (stories.length === 0) return null
  return (
    <section aria-label="Withdrawals under way" className="grid gap-4 md:grid-cols-2">
      {stories.map((story) => (
        <Card key={story.id} className="flex flex-col gap-2">
          <TxStory transaction={story} />
          {!isOpen(story) && (
            <Button look="quiet" size="small" className="self-start" onClick={() => forget(story.id)}>
              Dismiss
            </Button>
          )}
        </Card>
      ))}
    </section>
  )
}
