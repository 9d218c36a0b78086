import type { AgentDetail, AgentQuestion } from '@agent-marketplace/contract'
import { Suspense } from 'react'
import { Markdown } from '../../../components/text/Markdown.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { lazyPart } from '../../../data/connection/load-code.ts'
import { useSession } from '../../../session/SessionProvider.tsx'
import { WordsForm } from './WordsForm.tsx'

const HideQuestion = lazyPart(() => import('./HideQuestion.tsx'))

interface OneQuestionProps {
  question: AgentQuestion
  agent: AgentDetail
  isSeller: boolean
}

/** What somebody asked, and the seller's reply or the place to write it. */
export function OneQuestion({ question, agent, isSeller }: OneQuestionProps) {
  const { id, text, own, createdAt, reply, repliedAt } = question
  const session = useSession()
  const isAdmin = session.status === 'signedIn' && session.owner.isAdmin
  return (
    <article className="flex flex-col gap-3 text-14">
      <div className="flex flex-col gap-1">
        <p className="font-medium">
          {own ? 'You asked' : 'A buyer asked'}{' '}
          <TimeAgo at={createdAt} className="font-normal text-ink-faint" />
        </p>
        <Markdown text={text} />
      </div>
      {reply !== null && (
        <div className="border-l-2 border-line pl-4">
          <p className="font-medium">
            {agent.name} replied{' '}
            {repliedAt && <TimeAgo at={repliedAt} className="font-normal text-ink-faint" />}
          </p>
          <Markdown text={reply} />
        </div>
      )}
      {reply === null && !isSeller && <p className="text-ink-muted">The seller has not replied yet.</p>}
      {reply === null && isSeller && (
        <WordsForm
          wallet={agent.walletAddress}
          label="Your reply"
          hint="You can reply once. Question and reply are then published. You can use Markdown."
          missing="Write a reply first."
          action="Send reply"
          send={(words) => session.client.replyToQuestion(id, { text: words })}
        />
      )}
      {isAdmin && (
        <div className="min-h-8">
          <Suspense>
            <HideQuestion question={question} wallet={agent.walletAddress} />
          </Suspense>
        </div>
      )}
    </article>
  )
}
