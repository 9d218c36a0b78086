import type { AgentDetail } from '@agent-marketplace/contract'
import { Suspense, useState } from 'react'
import { Card, Section } from '../../../components/page/Card.tsx'
import { TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { lazyPart } from '../../../data/connection/load-code.ts'

const QuestionList = lazyPart(() => import('./QuestionList.tsx'))

/** The only contact before hire. Its code and its data wait until it is opened. */
export function Questions({ agent }: { agent: AgentDetail }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section title="Questions" hint="What buyers ask before they hire. The seller replies once to each.">
      <Card padding="none">
        <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary className="min-h-11 cursor-pointer px-4 py-3 text-14 font-medium sm:px-6">
            Show questions
          </summary>
          {isOpen && (
            <div className="flex flex-col gap-6 px-4 pb-4 sm:px-6 sm:pb-6">
              <Suspense fallback={<TextSkeleton lines={4} />}>
                <QuestionList agent={agent} />
              </Suspense>
            </div>
          )}
        </details>
      </Card>
    </Section>
  )
}
