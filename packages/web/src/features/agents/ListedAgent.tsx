import type { AgentSummary } from '@agent-marketplace/contract'
import { AgentCard } from '../../components/AgentCard.tsx'
import { Rating } from '../../components/Rating.tsx'
import { OnChainCheck } from './OnChainCheck.tsx'
import { lowestOffer, railsOf } from './offer.ts'

/** An agent in the list. Its card leads to its page; the check mark opens its proof. */
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
      standing={<Rating average={agent.averageRating} count={agent.ratingCount} jobs={agent.totalJobs} />}
      offer={lowestOffer(agent)}
      rails={railsOf(agent)}
    />
  )
}
