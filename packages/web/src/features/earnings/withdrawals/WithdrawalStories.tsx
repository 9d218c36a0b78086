import { TxStory } from '../../../components/money/TxStory.tsx'
import { Card } from '../../../components/page/Card.tsx'
import { isWorthTelling } from '../../../transactions/story.ts'
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
        <Card key={story.id}>
          <TxStory transaction={story} onDismiss={() => forget(story.id)} />
        </Card>
      ))}
    </section>
  )
}
