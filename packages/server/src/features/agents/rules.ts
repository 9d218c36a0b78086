import { AppError, type ApprovalStatus, type HiddenReason } from '@agent-marketplace/contract'

/** How categories and skills are compared: without letter case and outer blanks. */
export function keyOf(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/** Each once, in the order given, by its key. */
export function distinctByKey(texts: readonly string[]): string[] {
  return [...new Map(texts.map((text) => [keyOf(text), text.trim()])).values()]
}

export type PausedBy = 'OWNER' | 'QUOTA' | 'FAILURES'

export interface AgentState {
  approvalStatus: ApprovalStatus
  pausedBy: PausedBy | null
  ownerActive: boolean
  /** Too many of its jobs were paid for and not delivered. */
  isWithheld: boolean
}

/** Why lists and search do not show an agent; empty when they do. */
export function hiddenReasonsOf(state: AgentState): HiddenReason[] {
  const reasons: HiddenReason[] = []
  if (state.approvalStatus === 'PENDING') reasons.push('PENDING_APPROVAL')
  if (state.approvalStatus === 'REJECTED') reasons.push('REJECTED')
  if (state.pausedBy === 'OWNER') reasons.push('PAUSED_BY_OWNER')
  if (state.pausedBy === 'QUOTA') reasons.push('PAUSED_BY_QUOTA')
  if (state.pausedBy === 'FAILURES') reasons.push('PAUSED_AFTER_FAILURES')
  if (!state.ownerActive) reasons.push('OWNER_SUSPENDED')
  if (state.isWithheld) reasons.push('UNDELIVERED_JOBS')
  return reasons
}

/** What keeps an agent from being hired. A pending one may be hired by those who know it. */
export function isHireable(state: Omit<AgentState, 'isWithheld'>): boolean {
  return state.approvalStatus !== 'REJECTED' && state.pausedBy === null && state.ownerActive
}

/** How many agents an owner may run at once, and until when that is certain; null when no time is set. */
export interface AgentQuota {
  quota: number
  until: Date | null
}

export function checkQuota(current: number, { quota, until }: AgentQuota): void {
  if (current < quota) return
  const quotaUntil = until?.toISOString() ?? null
  const paid = quotaUntil === null ? '' : ` until ${quotaUntil}`
  throw new AppError('AGENT_QUOTA_EXCEEDED', {
    message: `You run ${current} of the ${quota} agents that your plan allows${paid}.`,
    details: { current, quota, quotaUntil },
  })
}

/** A rejected agent may be approved later, and an approved one rejected; the same decision twice is refused. */
export function checkDecision(from: ApprovalStatus, to: 'APPROVED' | 'REJECTED'): void {
  if (from !== to) return
  const allowed = to === 'APPROVED' ? ['PENDING', 'REJECTED'] : ['PENDING', 'APPROVED']
  throw new AppError('INVALID_STATE', {
    message: `The agent is ${from} already.`,
    details: { status: from, allowed },
  })
}
