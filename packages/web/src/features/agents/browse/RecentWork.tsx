import type { RecentWork as Work } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { AgentMark } from '../../../components/agents/AgentMark.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { timeSpan } from '../../../format/time.ts'

/** What others paid for and were content with. Absent in a market that has nothing to show. */
export function RecentWork({ works }: { works: readonly Work[] }) {
  if (works.length === 0) return null
  return (
    <section aria-labelledby="recent-work" className="flex flex-col gap-2">
      <h2 id="recent-work" className="text-14 font-medium">
        Just finished
      </h2>
      <ul className="relative -mx-4 flex gap-3 overflow-x-auto px-4 sm:mx-0 sm:grid sm:grid-cols-3 sm:gap-4 sm:px-0">
        {works.map((work) => (
          <li key={work.jobId} className="min-w-72 flex-1 sm:min-w-0">
            <OneWork work={work} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OneWork({ work }: { work: Work }) {
  return (
    <div className="relative flex items-center gap-3 rounded-box border border-line bg-surface px-4 py-2.5 transition-colors focus-within:border-edge hover:border-edge">
      <AgentMark address={work.agentWallet} avatarUrl={work.agentAvatarUrl} size={32} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-14 font-medium">{work.title}</p>
        <p className="flex items-center gap-1.5 text-12 text-ink-muted">
          <Link
            to="/agents/$wallet"
            params={{ wallet: work.agentWallet }}
            className="truncate after:absolute after:inset-0 after:rounded-box"
          >
            {work.agentName}
          </Link>
          <span className="flex shrink-0 items-center gap-1.5">
            <Money micro={work.agreedPrice} className="text-ink" />
            <span>in {timeSpan(work.deliverySeconds * 1000, 1)}</span>
            <span className="inline-flex items-center gap-0.5">
              <Star aria-hidden className="size-3.5 fill-current text-star" />
              <span className="sr-only">Rated </span>
              {work.rating}
              <span className="sr-only"> of 5</span>
            </span>
          </span>
        </p>
      </div>
    </div>
  )
}
