import type { AgentDetail } from '@agent-marketplace/contract'

/** Why an agent cannot be hired now, in words; undefined when it can. One that awaits approval can, by its address. */
export function whyNotHireable(
  agent: Pick<AgentDetail, 'name' | 'approvalStatus' | 'paused' | 'listing'>,
): string | undefined {
  const { name, approvalStatus, paused, listing } = agent
  if (approvalStatus === 'REJECTED') return `${name} was not approved, so it cannot be hired.`
  if (paused) return `${name} is paused and takes no new jobs. Running jobs continue.`
  const isHidden = approvalStatus === 'APPROVED' && !listing.visible
  return isHidden || listing.reasons.includes('OWNER_SUSPENDED')
    ? `The account behind ${name} is suspended, so it takes no new jobs.`
    : undefined
}
