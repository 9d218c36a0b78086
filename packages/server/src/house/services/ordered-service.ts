import type { PayableService } from './payable-service.ts'
import type { ServiceTerms } from './service-call.ts'

/** A service that somebody is about to order, and what decides whether they can. */
export interface OrderedService extends PayableService {
  agentId: string
  terms: OrderedTerms
  /** Whether agent and service are sold by x402 at all. */
  x402Enabled: boolean
  isHireable: boolean
  /** Its program does not respond. Agents without one may be people: nobody knows of them. */
  isOffline: boolean
}

/** All that the service promises, for those who read about it. */
interface OrderedTerms extends ServiceTerms {
  included?: string[]
  examples?: { title?: string; input: Record<string, unknown>; output: unknown }[]
}
