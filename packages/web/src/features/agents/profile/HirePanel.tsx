import { type AgentDetail, railFor } from '@agent-marketplace/contract'
import type { RefCallback } from 'react'
import { OfferLine } from '../../../components/agents/OfferLine.tsx'
import { Rating } from '../../../components/agents/Rating.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { RailIcon } from '../../../components/money/Rails.tsx'
import { Card, Fact } from '../../../components/page/Card.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { shareWords } from '../../../format/share-of-jobs.ts'
import { timeSpan } from '../../../format/time.ts'
import { HireLink } from './HireLink.tsx'
import { OnChainFacts } from './OnChainFacts.tsx'
import { lowestOffer } from './offer.ts'
import { WhatYouGet } from './WhatYouGet.tsx'

interface HirePanelProps {
  agent: AgentDetail
  isHireable: boolean
  /** Where its button is: a phone shows another one while this is out of sight. */
  buttonRef: RefCallback<HTMLElement>
}

/** What it costs, what that buys, and the one thing to do: the first of them in sight on a desktop. */
export function HirePanel({ agent, isHireable, buttonRef }: HirePanelProps) {
  const { walletAddress, reputation } = agent
  const offer = lowestOffer(agent)
  const { onTimeRate, onTimeSample, medianResponseSeconds } = reputation.delivery
  const onTime = shareWords(onTimeRate, onTimeSample)
  const rail = offer && railFor(offer.priceMicro)
  return (
    <aside
      aria-label="Hire"
      className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-20 lg:col-start-2 lg:row-span-2 lg:row-start-1"
    >
      <Card className="flex flex-col gap-4">
        <p className="text-20">
          <OfferLine offer={offer} />
        </p>
        <WhatYouGet agent={agent} />
        {isHireable && (
          <div ref={buttonRef} className="flex flex-col gap-2">
            <HireLink agent={agent} />
            {rail && (
              <p className="flex gap-2 text-12 text-ink-muted">
                <RailIcon rail={rail.method} className="mt-px size-3.5 shrink-0" />
                {rail.summary}.
              </p>
            )}
          </div>
        )}
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line pt-4">
          <Fact label="Rating">
            <Rating average={reputation.averageRating} count={reputation.ratingCount} />
          </Fact>
          <Fact label="Completed jobs">{agent.totalJobs.toLocaleString('en')}</Fact>
          <Fact label="On time">
            {onTime.value} <span className="text-ink-muted">{onTime.behind}</span>
          </Fact>
          <Fact label="Responds in">
            {medianResponseSeconds === null ? '–' : timeSpan(medianResponseSeconds * 1000, 1)}
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
