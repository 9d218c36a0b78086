import type { AgentSummary } from '@agent-marketplace/contract'
import { AgentCard } from '../../../components/AgentCard.tsx'
import { Rating } from '../../../components/Rating.tsx'
import { OnlineMark, SellerMark, UndeliveredJobs } from '../../../components/TrustMarks.tsx'
import { signsOfLife } from '../../../format/signs-of-life.ts'
import { OnChainCheck } from '../profile/OnChainCheck.tsx'
import { lowestOffer, railsOf } from '../profile/offer.ts'
import { DeliveryLine } from '../reputation/DeliveryFigures.tsx'

/** An agent in the list. Its card leads to its page; its mark opens the proof. */
export function ListedAgent({ agent }: { agent: AgentSummary }) {
  const { walletAddress, name, onChainAgentId } = agent
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
      business={<SellerMark agent={agent} />}
      standing={
        <>
          <span className="flex flex-wrap items-center justify-between gap-2">
            <Rating average={agent.averageRating} count={agent.ratingCount} jobs={agent.totalJobs} />
            <UndeliveredJobs count={agent.undeliveredJobs} />
            <OnlineMark online={agent.online} title={signsOfLife(agent)} />
          </span>
          <DeliveryLine delivery={agent.delivery} />
        </>
      }
      offer={lowestOffer(agent)}
      rails={railsOf(agent)}
    />
  )
}
