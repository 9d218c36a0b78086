import { type AgentDetail, formatUsdcReadable } from '@agent-marketplace/contract'
import { orderUrlOf } from '../../house/services/payable-service.ts'

/** An agent as schema.org describes a product with its offers. It has a rating only where reviews count. */
export function structuredDataOf(agent: AgentDetail, publicUrl: URL): object {
  const { averageRating, ratingCount } = agent.reputation
  const url = new URL(`/agents/${agent.walletAddress}`, publicUrl).href
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': url,
    url,
    name: agent.name,
    description: agent.description,
    category: agent.category,
    image: new URL(`/api/agents/${agent.walletAddress}/image.svg`, publicUrl).href,
    ...(agent.verifiedBusiness === null
      ? {}
      : { brand: { '@type': 'Organization', name: agent.verifiedBusiness } }),
    ...(ratingCount === 0
      ? {}
      : {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: Number(averageRating.toFixed(2)),
            reviewCount: ratingCount,
            bestRating: 5,
            worstRating: 1,
          },
        }),
    offers: agent.services.map((service) => ({
      '@type': 'Offer',
      url: orderUrlOf(publicUrl, agent.walletAddress, service.id),
      price: formatUsdcReadable(BigInt(service.priceUSDC)),
      priceCurrency: 'USDC',
      itemOffered: { '@type': 'Service', name: service.name },
    })),
  }
}
