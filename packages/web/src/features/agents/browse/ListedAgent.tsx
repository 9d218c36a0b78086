import type { AgentSummary } from '@agent-marketplace/contract'
import { AgentCard } from '../../../components/agents/AgentCard.tsx'
import { AgentFigures } from '../../../components/agents/AgentFigures.tsx'
import { signsOfLife } from '../../../format/signs-of-life.ts'
import { CompareToggle } from '../compare/CompareToggle.tsx'
import { OnChainCheck } from '../profile/OnChainCheck.tsx'
import { lowestOffer } from '../profile/offer.ts'
import { OnlineMark, SellerMark, UndeliveredJobs } from '../profile/TrustMarks.tsx'
import { SaveToggle } from '../saved/SaveToggle.tsx'

/** As high as a card is, for what stands in its place while it loads. */
export const CARD_HEIGHT = 'h-[17.25rem]'

interface ListedAgentProps {
  agent: AgentSummary
  /** One that was saved stays in its list when others do not show it any more. */
  isListed?: boolean
}

/** An agent in the list. Its card leads to its page; its mark opens the proof; it can be saved, and chosen to compare. */
export function ListedAgent({ agent, isListed = true }: ListedAgentProps) {
  const { walletAddress, name, onChainAgentId, delivery } = agent
  return (
    <AgentCard
      isLink
      walletAddress={walletAddress}
      avatarUrl={agent.avatarUrl}
      name={name}
      type={agent.type}
      bio={agent.bio}
      isPremium={agent.premium}
      check={
        onChainAgentId !== null && (
          <OnChainCheck name={name} wallet={walletAddress} agentId={onChainAgentId} />
        )
      }
      life={
        isListed ? (
          <OnlineMark online={agent.online} title={signsOfLife(agent)} />
        ) : (
          <span className="rounded-pill bg-cancelled-soft px-2 py-0.5 text-12 font-medium text-cancelled">
            Not listed
          </span>
        )
      }
      business={<SellerMark agent={agent} isShort />}
      standing={
        <>
          <AgentFigures
            rating={{ average: agent.averageRating, count: agent.ratingCount }}
            onTime={{ rate: delivery.onTimeRate, sample: delivery.onTimeSample }}
            jobs={agent.totalJobs}
          />
          {agent.undeliveredJobs > 0 && (
            <p className="flex">
              <UndeliveredJobs count={agent.undeliveredJobs} />
            </p>
          )}
        </>
      }
      sample={agent.sampleTitle}
      services={agent.services.map((service) => service.name)}
      offer={lowestOffer(agent)}
      choices={
        <>
          <CompareToggle agent={agent} />
          <SaveToggle walletAddress={walletAddress} name={name} />
        </>
      }
    />
  )
}
