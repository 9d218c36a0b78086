import { listX402Resources, searchX402Resources } from '@agent-marketplace/contract'
import {
  type ListedService,
  payableResourceOf,
  type ResourceFacts,
} from '../../house/services/payable-service.ts'
import { networkOf } from '../../house/x402-networks.ts'
import { type Route, route } from '../../platform/http/call.ts'
import type { Network } from '../../ports/payments/port.ts'

export interface DiscoveryDeps extends Pick<ResourceFacts, 'publicUrl' | 'offerFor'> {
  network: Network
  pages: <T>(mustShow: bigint | undefined, read: (pages: PayablePages) => Promise<T>) => Promise<T>
}

/** What can be ordered, as one server shows it. */
export interface PayablePages {
  listPayable: (page: {
    payTo?: string | undefined
    limit: number
    offset: number
  }) => Promise<{ services: ListedService[]; total: number }>
  searchPayable: (search: {
    query: string
    payTo?: string | undefined
    limit: number
    cursor?: string | undefined
  }) => Promise<{ services: ListedService[]; cursor: string | null }>
}

/** A page of a hundred stays below a megabyte or so, whatever sellers write. */
const EXTENSION_BYTES = 12_000

/** What can be bought by x402, in the form that stock clients and catalogues read. */
export function discoveryRoutes(deps: DiscoveryDeps): Route[] {
  const { pages } = deps
  const present = (listed: ListedService) =>
    presentResource(listed, { ...deps, extensionBytes: EXTENSION_BYTES })
  const hasNone = (filters: Filters) => isNeverMet(filters, deps.network)

  return [
    route(listX402Resources, async ({ query: { limit = 20, offset = 0, payTo, ...filters }, request }) => {
      const page = hasNone(filters)
        ? { services: [], total: 0 }
        : await pages(request.facts.mustShow, ({ listPayable }) => listPayable({ payTo, limit, offset }))
      return {
        x402Version: 2,
        items: page.services.map(present),
        pagination: { total: page.total, limit, offset },
      }
    }),

    route(
      searchX402Resources,
      async ({ query: { query, limit = 20, cursor, payTo, ...filters }, request }) => {
        const search = { query, payTo, limit, cursor }
        const page = hasNone(filters)
          ? { services: [], cursor: null }
          : await pages(request.facts.mustShow, ({ searchPayable }) => searchPayable(search))
        return {
          x402Version: 2,
          resources: page.services.map(present),
          pagination: { limit, cursor: page.cursor },
        }
      },
    ),
  ]
}

interface Filters {
  type?: string | undefined
  scheme?: string | undefined
  network?: string | undefined
  extensions?: string | undefined
}

/** All resources are alike in these: a filter by them keeps all or none. */
function isNeverMet(
  { type = 'http', scheme = 'exact', network, extensions = '' }: Filters,
  ours: Network,
): boolean {
  const keys = extensions.split(',').map((key) => key.trim())
  const isOtherNetwork = network !== undefined && networkOf(network) !== ours
  return (
    type !== 'http' ||
    scheme !== 'exact' ||
    isOtherNetwork ||
    keys.some((key) => key !== '' && key !== 'bazaar')
  )
}

function presentResource({ service, quality, updatedAt }: ListedService, facts: ResourceFacts) {
  const { resource, accepts, extensions } = payableResourceOf(service, facts)
  const { url, ...described } = resource
  return {
    resource: url,
    type: 'http' as const,
    x402Version: 2,
    accepts,
    lastUpdated: updatedAt.toISOString(),
    ...described,
    extensions,
    metadata: { ...quality, deliveryHours: service.deliveryHours },
  }
}
