import type { SubscriptionPlan } from '@agent-marketplace/contract'
import { TxStory } from '../../components/money/TxStory.tsx'
import { isWorthTelling } from '../../transactions/story.ts'
import { useTrackTx, useTransactions } from '../../transactions/TransactionProvider.tsx'

/** This browser's newest payment for a plan, while it is under way, has failed, or has just ended. */
export function PlanStory({ plan }: { plan: SubscriptionPlan }) {
  const { forget } = useTrackTx()
  const story = useTransactions().find(({ permission }) => permission?.plan === plan)
  if (!story || !isWorthTelling(story, Date.now())) return null
  return <TxStory transaction={story} onDismiss={() => forget(story.id)} />
}
