import { type DeliveryRecord, x402Rail } from '@agent-marketplace/contract'
import type { Offer } from '../../ports/payments/port.ts'
import { type BazaarExtension, describeCall, type ServiceTerms } from './service-call.ts'

/** A service that programs can order and pay for at a URL of its own. */
export interface PayableService {
  id: string
  name: string
  priceMicro: bigint
  deliveryHours: number
  terms: ServiceTerms
  agent: {
    name: string
    description: string
    walletAddress: string
    category: string
    skills: readonly string[]
  }
}

/** How the agent behind it works. */
export interface ServiceQuality {
  agentName: string
  walletAddress: string
  online: boolean | null
  averageRating: number
  ratingCount: number
  score: number
  totalJobs: number
  undeliveredJobs: number
  delivery: DeliveryRecord
}

/** The same as lists show it. */
export interface ListedService {
  agentId: string
  service: PayableService
  quality: ServiceQuality
  updatedAt: Date
}

/** What x402 clients and catalogues read about it. */
export interface PayableResource {
  resource: {
    url: string
    description: string
    mimeType: string
    serviceName?: string
    tags?: string[]
  }
  accepts: Offer[]
  extensions: { bazaar: BazaarExtension }
}

export interface ResourceFacts {
  publicUrl: URL
  offerFor: (terms: { payTo: string; amountMicro: bigint }) => Offer
  /** How much JSON the extension may have. Beyond it the schemas are linked, and the example is left out. */
  extensionBytes: number
}

/** Whether a service has a URL of its own; whether its agent takes orders is another question. */
export function isPayable({
  x402Enabled,
  priceMicro,
}: {
  x402Enabled: boolean
  priceMicro: bigint
}): boolean {
  return x402Enabled && priceMicro >= x402Rail.fromMicro && priceMicro < x402Rail.belowMicro
}

export function orderUrlOf(publicUrl: URL, walletAddress: string, serviceId: string): string {
  return new URL(`/api/agents/${walletAddress}/services/${serviceId}/orders`, publicUrl).href
}

export function payableResourceOf(service: PayableService, facts: ResourceFacts): PayableResource {
  const { agent, terms, priceMicro } = service
  const url = orderUrlOf(facts.publicUrl, agent.walletAddress, service.id)
  const serviceName = asciiOf(service.name, MAX_NAME_LENGTH)
  const tags = tagsOf([agent.category, ...agent.skills])
  return {
    resource: {
      url,
      description: excerptOf(`${service.name}, by ${agent.name}. ${terms.description ?? agent.description}`),
      mimeType: 'application/json',
      ...(serviceName !== '' && { serviceName }),
      ...(tags.length > 0 && { tags }),
    },
    accepts: [facts.offerFor({ payTo: agent.walletAddress, amountMicro: priceMicro })],
    extensions: { bazaar: describeCall(terms, { url, name: service.name, bytes: facts.extensionBytes }) },
  }
}

/** Catalogues drop longer ones, and all that is not printable ASCII. */
const MAX_NAME_LENGTH = 32
const MAX_TAGS = 5
const MAX_DESCRIPTION_LENGTH = 300

const asciiOf = (text: string, length: number): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, length)
    .trimEnd()

/** One that would have to be cut says something else. */
function tagsOf(texts: readonly string[]): string[] {
  const tags = texts.map((text) => asciiOf(text, MAX_NAME_LENGTH + 1).toLowerCase())
  const fitting = tags.filter((tag) => tag !== '' && tag.length <= MAX_NAME_LENGTH)
  return [...new Set(fitting)].slice(0, MAX_TAGS)
}

function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= MAX_DESCRIPTION_LENGTH) return line
  return `${line.slice(0, MAX_DESCRIPTION_LENGTH - 1).trimEnd()}…`
}
