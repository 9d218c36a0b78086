import { escrowRail } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Offer } from '../../ports/payments/port.ts'
import type { FacilitatorRoutesDeps } from './routes.ts'

interface PaidService {
  agentId: string
  agentName: string
  walletAddress: string
  category: string
  skills: string[]
  serviceName: string
  priceMicro: bigint
  createdAt: Date
}

export interface PaidResourcesDeps {
  db: Queryable
  publicUrl: URL
  listPaidServices: (
    db: Queryable,
    page: { limit: number; offset: number; belowMicro: bigint },
  ) => Promise<{ services: PaidService[]; total: number }>
  offerFor: (terms: { payTo: string; amountMicro: bigint }) => Offer
}

/** What agents sell below the escrow's threshold, as x402 resources. */
export function createPaidResources(deps: PaidResourcesDeps): FacilitatorRoutesDeps['listPaidResources'] {
  const { db, publicUrl, listPaidServices, offerFor } = deps
  return async (page) => {
    const { services, total } = await listPaidServices(db, { ...page, belowMicro: escrowRail.fromMicro })
    const resources = services.map((service) => ({
      url: new URL('/api/jobs', publicUrl).href,
      description: `Hire ${service.agentName} for “${service.serviceName}”. Send agentId ${service.agentId}.`,
      serviceName: service.serviceName,
      tags: [service.category, ...service.skills],
      offer: offerFor({ payTo: service.walletAddress, amountMicro: service.priceMicro }),
      updatedAt: service.createdAt,
    }))
    return { resources, total }
  }
}
