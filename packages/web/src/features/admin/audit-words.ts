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
  'aml_flag.resolved': 'AML flag resolved',
  'dead_letter.retried': 'Failed work tried again',
  'engine.resumed': 'Money engine resumed',
  'role.changed': 'Role changed on chain',
}

const subjects: Readonly<Record<string, string>> = {
  agent: 'Agent',
  aml_flag: 'AML flag',
  dead_letter: 'Failed work',
  engine: 'Money engine',
  job: 'Job',
  owner: 'Account',
  question: 'Question',
  role: 'Role',
}

/** What was done. What has no words yet is said as the service wrote it down. */
export const actionWords = ({ action }: Pick<AuditEntry, 'action'>): string => actions[action] ?? action

export const subjectWords = ({ subjectType }: Pick<AuditEntry, 'subjectType'>): string =>
  subjects[subjectType] ?? subjectType

/** What a ruling gives to whom, or how many have signed it; undefined for everything else. */
export function rulingWords({ action, details }: Pick<AuditEntry, 'action' | 'details'>): string | undefined {
  if (!action.startsWith('ruling.')) return undefined
  const { sellerBps, confirmations } = Object(details.after) as {
    sellerBps?: unknown
    confirmations?: unknown
  }
  if (Array.isArray(confirmations))
    return confirmations.length === 1 ? '1 signature' : `${confirmations.length} signatures`
  if (typeof sellerBps !== 'number') return undefined
  return `${sellerBps / 100}% to the seller, ${(10_000 - sellerBps) / 100}% back to the buyer`
}
