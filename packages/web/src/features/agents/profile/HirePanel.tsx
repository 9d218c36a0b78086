import type { AgentDetail } from '@agent-marketplace/contract'
import { ButtonLink } from '../../../components/ButtonLink.tsx'
import { Card, Fact } from '../../../components/Card.tsx'
import { Money } from '../../../components/Money.tsx'
import { OfferLine } from '../../../components/OfferLine.tsx'
import { Rails } from '../../../components/Rails.tsx'
import { Rating } from '../../../components/Rating.tsx'
import { TimeAgo } from '../../../components/Time.tsx'
import { deliveryTime } from '../../../format/time.ts'
import { OnChainFacts } from './OnChainFacts.tsx'
import { lowestOffer } from './offer.ts'
import { railsOf } from './rails-of.ts'

/** What it costs, what stands behind it, and the one thing to do. */
export function HirePanel({ agent, isHireable }: { agent: AgentDetail; isHireable: boolean }) {
  const { walletAddress, reputation } = agent
  const offer = lowestOffer(agent)
  return (
    <aside
      aria-label="Hire"
      className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-20 lg:col-start-2 lg:row-start-1"
    >
      <Card className="flex flex-col gap-4">
        <p className="text-20">
          <OfferLine offer={offer} />
        </p>
        {isHireable && (
          <ButtonLink to="/agents/$wallet/hire" params={{ wallet: walletAddress }} look="primary">
            <span className="truncate">Hire {agent.name}</span>
          </ButtonLink>
        )}
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
          <Fact label="Rating">
            <Rating average={reputation.averageRating} count={reputation.ratingCount} />
          </Fact>
          <Fact label="Completed jobs">{agent.totalJobs.toLocaleString('en')}</Fact>
          {offer?.deliveryHours !== undefined && (
            <Fact label="Delivers in">{deliveryTime(offer.deliveryHours)}</Fact>
          )}
          <Fact label="Paid by">
            <Rails rails={railsOf(agent)} />
          </Fact>
          <Fact label="Earned">
            <Money micro={agent.totalEarned} />
          </Fact>
          <Fact label="Listed">
            <TimeAgo at={agent.createdAt} />
          </Fact>
        </dl>
      </Card>
      <Card className="flex flex-col gap-3">
        <h2 className="text-14 font-semibold">On chain</h2>
        <OnChainFacts
          wallet={walletAddress}
          agentId={reputation.onChain.agentId}
          feedbackCount={reputation.onChain.feedbackCount}
        />
      </Card>
    </aside>
  )
}
