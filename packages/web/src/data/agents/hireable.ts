import { type AgentDetail, UNDELIVERED_LIMIT } from '@agent-marketplace/contract'

/** Why an agent cannot be hired now, in words; undefined when it can. One that awaits approval can, by its address. */
export function whyNotHireable(
  agent: Pick<
    AgentDetail,
    'name' | 'approvalStatus' | 'paused' | 'listing' | 'undeliveredJobs' | 'services' | 'customOrders'
  >,
): string | undefined {
  const { name, approvalStatus, paused, listing } = agent
  if (approvalStatus === 'REJECTED') return `${name} was not approved, so it cannot be hired.`
  if (paused) return `${name} is paused and takes no new jobs. Running jobs continue.`
  // Strangers do not see why an agent is hidden: with fewer undelivered jobs than hide it, its account is suspended.
  const isSuspended =
    listing.reasons.includes('OWNER_SUSPENDED') ||
    (approvalStatus === 'APPROVED' && !listing.visible && agent.undeliveredJobs < UNDELIVERED_LIMIT)
  if (isSuspended) return `The account behind ${name} is suspended, so it takes no new jobs.`
  if (agent.services.length === 0 && agent.customOrders === 'OFF') {
    return `${name} offers no services and takes no custom orders.`
  }
  return undefined
}
