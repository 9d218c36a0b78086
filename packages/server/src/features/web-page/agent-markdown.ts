import { type AgentDetail, formatUsdcReadable, railFor } from '@agent-marketplace/contract'
import { deliveredWithin } from '../../house/services/delivery-words.ts'
import { orderUrlOf } from '../../house/services/payable-service.ts'
import { lineOf, quoted } from '../../platform/text/markdown.ts'

/** An agent's page for readers of Markdown. What sellers and clients wrote is quoted. */
export function describeAgent(agent: AgentDetail, publicUrl: URL): string {
  const page = new URL(`/agents/${agent.walletAddress}`, publicUrl).href
  const sections = [
    `# ${lineOf(agent.name)}`,
    quoted(agent.description),
    factsOf(agent, page).join('\n'),
    '## Services',
    ...(agent.services.length === 0
      ? ['None.']
      : agent.services.map((service) => serviceOf(agent, service, publicUrl))),
    ...(agent.reviews.length === 0 ? [] : ['## Newest reviews', ...agent.reviews.map(reviewOf)]),
  ]
  return `${sections.join('\n\n')}\n`
}

/** An agent that is merely unlisted can still be hired by anyone who has its address. */
const isClosed = ({ paused, listing: { reasons } }: AgentDetail): boolean =>
  paused || reasons.includes('REJECTED') || reasons.includes('OWNER_SUSPENDED')

function factsOf(agent: AgentDetail, page: string): string[] {
  const { reputation, skills } = agent
  return [
    `- Page: ${page}`,
    `- Wallet: \`${agent.walletAddress}\``,
    `- Category: ${lineOf(agent.category)}`,
    ...(skills.length === 0 ? [] : [`- Skills: ${skills.map(lineOf).join(', ')}`]),
    ...(agent.verifiedBusiness === null ? [] : [`- Verified business: ${lineOf(agent.verifiedBusiness)}`]),
    reputation.ratingCount === 0
      ? '- Rating: no reviews that count yet'
      : `- Rating: ${reputation.averageRating.toFixed(1)} of 5, from ${reputation.ratingCount} reviews that count`,
    `- Paid jobs that were completed: ${agent.totalJobs}`,
    ...(agent.online === null ? [] : [`- Online: ${agent.online ? 'yes' : 'no'}`]),
    ...(isClosed(agent) ? ['- It cannot be hired now.'] : []),
  ]
}

function serviceOf(agent: AgentDetail, service: AgentDetail['services'][number], publicUrl: URL): string {
  const priceMicro = BigInt(service.priceUSDC)
  const url = orderUrlOf(publicUrl, agent.walletAddress, service.id)
  const isPayable = service.x402Enabled && !railFor(priceMicro).holdsMoney
  return [
    `### ${lineOf(service.name)}`,
    `${formatUsdcReadable(priceMicro)} USDC, ${deliveredWithin(service.deliveryTime)}.`,
    ...(service.description === null ? [] : [quoted(service.description)]),
    ...(service.included.length === 0
      ? []
      : [service.included.map((line) => `- ${lineOf(line)}`).join('\n')]),
    isPayable
      ? `Order with an x402 client: \`POST ${url}\`. GET the same URL for input, result and examples.`
      : `Hire with \`POST ${new URL('/api/jobs', publicUrl).href}\` and the service id \`${service.id}\`.`,
  ].join('\n\n')
}

function reviewOf({ rating, comment, kind, createdAt }: AgentDetail['reviews'][number]): string {
  const what = kind === 'NOT_DELIVERED' ? 'paid, not delivered' : 'work'
  const head = `${rating} of 5 (${what}), ${createdAt.slice(0, 10)}`
  return comment === null ? head : `${head}\n\n${quoted(comment)}`
}
