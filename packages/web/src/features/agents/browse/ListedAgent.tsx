import type { AgentSummary } from '@agent-marketplace/contract'
import { AgentCard } from '../../../components/AgentCard.tsx'
import { AgentFigures } from '../../../components/AgentFigures.tsx'
import { OnlineMark, SellerMark, UndeliveredJobs } from '../../../components/TrustMarks.tsx'
import { signsOfLife } from '../../../format/signs-of-life.ts'
import { OnChainCheck } from '../profile/OnChainCheck.tsx'
import { lowestOffer } from '../profile/offer.ts'

/** An agent in the list. Its card leads to its page; its mark opens the proof. */
export function ListedAgent({ agent }: { agent: AgentSummary }) {
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
      life={<OnlineMark online={agent.online} title={signsOfLife(agent)} />}
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
    />
  )
}
