import type { AgentDetail } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { LoadMore } from '../../../components/lists/LoadMore.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { useOwnAgent } from '../../../data/agents/own-agent.ts'
import { agentQuestionsQuery } from '../../../data/agents/questions.ts'
import { useSession } from '../../../session/SessionProvider.tsx'
import { AskPart } from './AskPart.tsx'
import { OneQuestion } from './OneQuestion.tsx'

/** Questions with their replies, newest first, and the one thing that the viewer can do: ask, or reply. */
export default function QuestionList({ agent }: { agent: AgentDetail }) {
  const { walletAddress: wallet } = agent
  const session = useSession()
  const isSeller = useOwnAgent(wallet) !== undefined
  const viewerId = session.status === 'signedIn' ? session.owner.id : undefined
  const found = useInfiniteQuery({
    ...agentQuestionsQuery(session.client, wallet, viewerId),
    enabled: session.status !== 'restoring',
  })
  const questions = found.data?.pages.flatMap(({ data }) => data)
  if (found.error && !questions) return <ErrorState error={found.error} onRetry={found.refetch} />
  if (!questions) return <TextSkeleton lines={4} />
  const hasOpen = questions.some(({ own, reply }) => own && reply === null)
  return (
    <>
      {questions.length === 0 ? (
        <p className="text-14 text-ink-muted">
          {isSeller ? 'Nobody has asked anything yet.' : 'No question has a reply yet.'}
        </p>
      ) : (
        <ul aria-label="Questions" className="flex flex-col divide-y divide-line">
          {questions.map((question) => (
            <li key={question.id} className="py-4 first:pt-0">
              <OneQuestion question={question} agent={agent} isSeller={isSeller} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={found} />
      {!isSeller && <AskPart agent={agent} hasOpen={hasOpen} />}
    </>
  )
}
