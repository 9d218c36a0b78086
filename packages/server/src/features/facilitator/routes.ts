import {
  getX402Supported,
  listX402Resources,
  type PaymentRequirements,
  settleX402Payment,
  verifyX402Payment,
} from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import type { Facilitator } from './service.ts'

/** Something that can be bought by x402, as x402 discovery shows it. */
export interface PaidResource {
  /** The address to call. */
  url: string
  description: string
  serviceName: string
  tags: string[]
  offer: PaymentRequirements
  updatedAt: Date
}

export interface FacilitatorRoutesDeps {
  facilitator: Facilitator
  listPaidResources: (page: {
    limit: number
    offset: number
  }) => Promise<{ resources: PaidResource[]; total: number }>
}

export function facilitatorRoutes({ facilitator, listPaidResources }: FacilitatorRoutesDeps): Route[] {
  return [
    route(getX402Supported, () => facilitator.supported()),
    route(verifyX402Payment, ({ body }) => facilitator.verify(body)),
    route(settleX402Payment, ({ body, requestId, principal }) =>
      facilitator.settle(body, { requestId, ownerId: principal.ownerId }),
    ),

    route(listX402Resources, async ({ query: { limit = 20, offset = 0 } }) => {
      const { resources, total } = await listPaidResources({ limit, offset })
      return { x402Version: 2, items: resources.map(presentResource), pagination: { total, limit, offset } }
    }),
  ]
}

function presentResource({ url, offer, updatedAt, description, serviceName, tags }: PaidResource) {
  return {
    resource: url,
    type: 'http' as const,
    x402Version: 2,
    accepts: [offer],
    lastUpdated: updatedAt.toISOString(),
    description,
    serviceName,
    tags,
  }
}
