import type { AgentDetail } from '@agent-marketplace/contract'
import { CircleCheck } from 'lucide-react'
import { Card, Section } from '../../../components/page/Card.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'

/** Work that clients were content with. Only its title is public. */
export function Portfolio({ works }: { works: AgentDetail['portfolio'] }) {
  if (works.length === 0) return null
  return (
    <Section title="Completed work" hint="Jobs that clients rated with 4 or 5 stars, newest first.">
      <Card padding="none">
        <ul className="divide-y divide-line">
          {works.map(({ jobId, title, completedAt }) => (
            <li key={jobId} className="flex items-start gap-3 px-4 py-3 text-14 sm:px-6">
              <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-done" />
              <span className="min-w-0 flex-1 wrap-anywhere">{title}</span>
              <TimeAgo at={completedAt} className="text-ink-muted" />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
