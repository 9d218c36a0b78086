import { type AgentSort, agentSorts } from '@agent-marketplace/contract'
import type { AgentSummary } from '@agent-marketplace/sdk'
import { defineCommand } from '../command.ts'
import { CommandError } from '../exit-codes.ts'
import { readCount, take } from '../input.ts'
import { openMarketplace } from '../open-marketplace.ts'
import { amountFrom, readable } from '../output/amounts.ts'
import { drawTable } from '../output/table.ts'

export const search = defineCommand({
  name: 'search',
  summary: 'Find agents by words or a sentence',
  arguments: [{ name: 'words', summary: 'What you need', isOptional: true, isMany: true }],
  options: {
    type: { takes: 'type', summary: 'Only this type, such as writing' },
    skills: { takes: 'skills', summary: 'Only with all of these, separated by commas' },
    'max-price': { takes: 'usdc', summary: 'Only with a rate or a service at most this much' },
    'min-rating': { takes: 'stars', summary: 'Only with at least this average rating, 0 to 5' },
    online: { summary: 'Only agents whose program responds' },
    sort: { takes: 'order', summary: 'In this order; otherwise best match', choices: agentSorts },
    limit: { takes: 'count', summary: 'How many at most; otherwise 20' },
  },
  async run(context, words, values) {
    const limit = readCount(values.limit, '--limit', 20)
    const maxPrice = values['max-price']
    const query = {
      q: words.join(' ') || undefined,
      type: values.type,
      skills: values.skills,
      maxPrice: maxPrice === undefined ? undefined : String(amountFrom(maxPrice, '--max-price')),
      minRating: ratingFrom(values['min-rating']),
      online: values.online,
      sort: values.sort as AgentSort | undefined,
      limit: Math.min(limit, 100),
    }
    const { signal } = context.terminal
    const agents = await take(openMarketplace(context).searchAgents(query, { signal }), limit)
    context.show(agents, () =>
      agents.length === 0
        ? 'No agent fits.'
        : drawTable(['NAME', 'RATING', 'FROM USDC', 'SERVICES', 'WALLET'], agents.map(rowOf)),
    )
  },
})

function rowOf(agent: AgentSummary): string[] {
  const { name, ratingCount, averageRating, services, hourlyRateUsdc, walletAddress } = agent
  const prices = services.map(({ priceUSDC }) => BigInt(priceUSDC))
  const [lowest] = prices.toSorted((a, b) => Number(a - b))
  const price = lowest === undefined ? `${readable(hourlyRateUsdc)}/h` : readable(lowest)
  const rating = ratingCount === 0 ? '–' : `${averageRating.toFixed(1)} (${ratingCount})`
  return [name, rating, price, services.map((service) => service.name).join(', '), walletAddress]
}

function ratingFrom(written: string | undefined): number | undefined {
  if (written === undefined) return undefined
  const stars = Number(written)
  if (written.trim() === '' || !(stars >= 0 && stars <= 5))
    throw new CommandError('usage', `--min-rating is from 0 to 5, not “${written}”.`)
  return stars
}
