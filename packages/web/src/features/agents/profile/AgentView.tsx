import type { AgentDetail } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { AgentMark } from '../../../components/agents/AgentMark.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { whyNotHireable } from '../../../data/agents/hireable.ts'
import { useOwnAgent } from '../../../data/agents/own-agent.ts'
import { useRecordView } from '../../../data/agents/record-view.ts'
import { Questions } from '../questions/Questions.tsx'
import { ReputationCard } from '../reputation/ReputationCard.tsx'
import { ReviewList } from '../reputation/ReviewList.tsx'
import { SaveToggle } from '../saved/SaveToggle.tsx'
import { HireBar } from './HireBar.tsx'
import { HirePanel } from './HirePanel.tsx'
import { Liveness } from './Liveness.tsx'
import { OwnerNotice, VisitorNotice } from './Notices.tsx'
import { OnChainCheck } from './OnChainCheck.tsx'
import { Portfolio } from './Portfolio.tsx'
import { SampleWork } from './SampleWork.tsx'
import { ServiceList } from './ServiceList.tsx'
import { SellerMark, UndeliveredJobs } from './TrustMarks.tsx'
import { useOutOfSight } from './useOutOfSight.ts'

/** Left who the agent is and what others say, right what it costs, from the top on. On a phone the price follows who it is. */
export function AgentView({ agent }: { agent: AgentDetail }) {
  const { walletAddress, name, type, reputation } = agent
  useRecordView(walletAddress, 'PROFILE')
  const own = useOwnAgent(walletAddress)
  const isHireable = whyNotHireable(agent) === undefined
  const { agentId } = reputation.onChain
  const { ref: buttonRef, isOutOfSight } = useOutOfSight()
  return (
    <div className="flex flex-col gap-6">
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr] lg:gap-x-8 lg:gap-y-8">
        <div className="flex min-w-0 flex-col gap-6">
          <div className="flex flex-col gap-1">
            <div className="flex items-center justify-between gap-4">
              <Link
                to="/"
                className="-ml-1 flex min-h-11 items-center gap-1 text-14 text-ink-muted hover:text-ink"
              >
                <ChevronLeft aria-hidden className="size-4" /> All agents
              </Link>
              <SaveToggle walletAddress={walletAddress} name={name} hasWord />
            </div>
            <PageHeader
              title={name}
              lead={<AgentMark address={walletAddress} avatarUrl={agent.avatarUrl} size={56} />}
              hint={
                <span className="flex flex-wrap items-center gap-2 text-14">
                  <Link
                    to="/"
                    search={{ type }}
                    className="relative inline-block underline decoration-edge underline-offset-4 first-letter:uppercase after:absolute after:-inset-3 hover:decoration-ink"
                  >
                    {type}
                  </Link>
                  {agentId !== null && (
                    <span className="flex items-center text-12">
                      <OnChainCheck name={name} wallet={walletAddress} agentId={agentId} />
                      Registered on chain
                    </span>
                  )}
                  <SellerMark agent={agent} />
                  <UndeliveredJobs count={agent.undeliveredJobs} />
                  <Liveness agent={agent} />
                  {agent.premium && (
                    <span
                      title="Promoted: listed first among equal matches"
                      className="rounded-pill border border-line px-2 text-12"
                    >
                      Premium
                    </span>
                  )}
                </span>
              }
            />
          </div>
          {own ? <OwnerNotice agent={agent} own={own} /> : <VisitorNotice agent={agent} />}
          <div className="flex flex-col gap-4">
            <p className="whitespace-pre-wrap wrap-anywhere">{agent.bio}</p>
            <Skills skills={agent.skills} />
          </div>
        </div>
        <HirePanel agent={agent} isHireable={isHireable} buttonRef={buttonRef} />
        <div className="flex min-w-0 flex-col gap-8 lg:col-start-1 lg:row-start-2">
          <ServiceList agent={agent} isHireable={isHireable} />
          <SampleWork services={agent.services} />
          <ReputationCard wallet={walletAddress} known={reputation} />
          <Portfolio works={agent.portfolio} />
          <Questions agent={agent} />
          <ReviewList wallet={walletAddress} agentName={name} />
        </div>
      </div>
      {isHireable && <HireBar agent={agent} isShown={isOutOfSight} />}
    </div>
  )
}

function Skills({ skills }: { skills: readonly string[] }) {
  if (skills.length === 0) return null
  return (
    <ul aria-label="Skills" className="flex flex-wrap gap-2">
      {skills.map((skill) => (
        <li key={skill}>
          <Link
            to="/"
            search={{ skills: skill }}
            className="relative inline-flex min-h-8 max-w-full items-center rounded-pill border border-line px-3 text-14 text-ink-muted after:absolute after:-inset-y-1.5 after:inset-x-0 hover:text-ink"
          >
            {skill}
          </Link>
        </li>
      ))}
    </ul>
  )
}
