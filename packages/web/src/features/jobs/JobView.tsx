import type { JobDetail } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { AgentMark } from '../../components/agents/AgentMark.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { JobBadges } from '../../components/status/JobBadges.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { useOwner } from '../../session/SessionProvider.tsx'
import { DeliveryCard } from './cards/DeliveryCard.tsx'
import { DisputeCard } from './cards/DisputeCard.tsx'
import { ReviewCard } from './cards/ReviewCard.tsx'
import { Timeline } from './cards/Timeline.tsx'
import { WorkCard } from './cards/WorkCard.tsx'
import { JobPanel } from './JobPanel.tsx'
import { MessageCard } from './room/MessageCard.tsx'
import { PastProgress, ProgressCard } from './room/ProgressCard.tsx'
import { clientName, sidesOf } from './sides.ts'

/** Left the work, right what happens now. On a phone what happens now comes first. */
export function JobView({ job }: { job: JobDetail }) {
  const { id } = useOwner()
  const sides = sidesOf(job, id)
  const isClient = sides.includes('CLIENT')
  const readsRoom = sides.length > 0 || job.dispute !== null
  const isAtWork = readsRoom && job.status === 'IN_PROGRESS'
  const hasRoom = readsRoom && job.timeline.some(({ type }) => type === 'JOB_FUNDED')
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-1">
        <Link
          to="/jobs"
          search={isClient ? {} : { role: 'seller' }}
          className="-ml-1 flex min-h-11 items-center gap-1 self-start text-14 text-ink-muted hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-4" /> Your jobs
        </Link>
        <PageHeader
          title={job.title}
          lead={<AgentMark address={job.agent.walletAddress} avatarUrl={job.agent.avatarUrl} size={48} />}
          hint={
            <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-14">
              <JobBadges job={job} />
              <span>
                <Link
                  to="/agents/$wallet"
                  params={{ wallet: job.agent.walletAddress }}
                  className="text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
                >
                  {job.agent.name}
                </Link>
                {' for '}
                {isClient ? 'you' : clientName(job)}
              </span>
              <span>
                opened <TimeAgo at={job.createdAt} />
              </span>
            </span>
          }
        />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8">
        <JobPanel job={job} sides={sides} />
        <div className="flex min-w-0 flex-col gap-6 lg:col-start-1 lg:row-start-1">
          {isAtWork && <ProgressCard jobId={job.id} />}
          {job.dispute && <DisputeCard job={job} dispute={job.dispute} sides={sides} />}
          {job.delivery && <DeliveryCard job={job} delivery={job.delivery} />}
          <Timeline job={job} sides={sides} />
          <WorkCard job={job} />
          {hasRoom && <MessageCard job={job} sides={sides} />}
          {job.review && <ReviewCard review={job.review} jobId={job.id} agentName={job.agent.name} />}
          {hasRoom && !isAtWork && <PastProgress jobId={job.id} />}
        </div>
      </div>
    </div>
  )
}
