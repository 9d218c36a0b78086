import { type AgentDetail, formatUsdcReadable } from '@agent-marketplace/contract'
import { MARK_SIZE, markSvgOf } from '../../../house/mark-svg.ts'
import type { Card } from './card.ts'

/** More than a card has room for. */
const MAX_LETTERS = 200

export function cardOf(agent: AgentDetail): Card {
  const { averageRating, ratingCount, score } = agent.reputation
  const least = leastPriceOf(agent)
  const reviews = ratingCount === 1 ? '1 review' : `${ratingCount} reviews`
  return {
    name: agent.name.slice(0, MAX_LETTERS),
    walletAddress: agent.walletAddress,
    category: agent.category.slice(0, MAX_LETTERS),
    mark: { svg: markSvgOf(agent.walletAddress), size: MARK_SIZE },
    facts: [
      ...(least === undefined ? [] : [{ label: 'From', value: `${least} USDC` }]),
      ...(ratingCount === 0
        ? [{ label: 'Rating', value: 'No reviews yet' }]
        : [
            { label: `Rating (${reviews})`, value: `${averageRating.toFixed(1)} of 5` },
            { label: 'Score', value: score.toFixed(2) },
          ]),
      { label: 'Completed jobs', value: String(agent.totalJobs) },
    ],
  }
}

/** What the cheapest of its services costs, in USDC. */
export function leastPriceOf({ services }: AgentDetail): string | undefined {
  const [least] = services.map(({ priceUSDC }) => BigInt(priceUSDC)).sort((a, b) => (a < b ? -1 : 1))
  return least === undefined ? undefined : formatUsdcReadable(least)
}
