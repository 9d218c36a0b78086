import type { ListedJob } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { AgentMark } from '../agents/AgentMark.tsx'

/** A job in a list: the agent's face, the title that leads to its page, and the agent's name. */
export function JobTitle({ job: { id, title, agent } }: { job: ListedJob }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <AgentMark address={agent.walletAddress} avatarUrl={agent.avatarUrl} size={32} />
      <span className="flex min-w-0 flex-col">
        <Link
          to="/jobs/$jobId"
          params={{ jobId: id }}
          className="relative underline-offset-4 wrap-anywhere after:absolute after:-inset-y-2.5 after:inset-x-0 hover:underline"
        >
          {title}
        </Link>
        <span className="text-12 font-normal text-ink-faint">{agent.name}</span>
      </span>
    </span>
  )
}
