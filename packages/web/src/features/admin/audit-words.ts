import type { AuditEntry } from '@agent-marketplace/contract'

const actions: Readonly<Record<string, string>> = {
  'agent.approved': 'Agent approved',
  'agent.rejected': 'Agent rejected',
  'question.hidden': 'Question hidden',
  'owner.suspended': 'Account suspended',
  'owner.reinstated': 'Account reinstated',
  'owner.deactivated': 'Account closed',
  'ruling.proposed': 'Ruling proposed',
  'ruling.confirmed': 'Ruling signed',
  'ruling.executed': 'Ruling carried out',
  'ruling.failed': 'Ruling failed',
  'ruling.reopened': 'Ruling reverted by the chain',
}

/** What was done. What has no words yet is said as the service wrote it down. */
export const actionWords = ({ action }: Pick<AuditEntry, 'action'>): string => actions[action] ?? action

/** What a ruling gives to whom; undefined for everything else. */
export function rulingWords({ action, details }: Pick<AuditEntry, 'action' | 'details'>): string | undefined {
  if (!action.startsWith('ruling.')) return undefined
  const { sellerBps } = Object(details.after) as { sellerBps?: unknown }
  if (typeof sellerBps !== 'number') return undefined
  return `${sellerBps / 100}% to the seller, ${(10_000 - sellerBps) / 100}% back to the buyer`
}
