import {
  type AdminDispute,
  type AmlFlag,
  type AuditEntry,
  type DeadLetter,
  formatMicro,
  type RulingToSign,
  type SafeProposal,
} from '@agent-marketplace/contract'
import type { DeadLetter as DeadLetterRow } from '../../platform/queue/dead-letters.ts'
import type { RulingPlan } from '../../ports/chain/port.ts'
import type { FlaggedJob } from './aml.ts'
import type { AuditRow } from './audit.ts'
import type { RuledDispute } from './disputes/disputes.ts'
import type { ProposalRow } from './disputes/ruling-store.ts'
import { failureText } from './rules.ts'

export function presentFlag({ flag, job }: FlaggedJob): AmlFlag {
  return {
    id: flag.id,
    job,
    ownerId: flag.ownerId,
    amount: formatMicro(flag.amountMicro),
    status: flag.resolvedAt === null ? 'OPEN' : 'RESOLVED',
    note: flag.note,
    createdAt: flag.createdAt.toISOString(),
    resolvedAt: flag.resolvedAt?.toISOString() ?? null,
  }
}

function presentProposal(row: ProposalRow, { safe, to, data, safeTxHash }: RulingPlan): SafeProposal {
  return {
    safe,
    to,
    data,
    nonce: Number(row.safeNonce),
    safeTxHash,
    sellerBps: row.sellerBps,
    confirmations: row.confirmedBy,
    threshold: row.threshold,
    status: row.status,
    failureReason: row.status === 'FAILED' ? failureText(row.failureReason) : null,
    txHash: row.txHash,
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentRuling(row: ProposalRow, plan: RulingPlan): RulingToSign {
  const { domain, types, primaryType, message } = plan.typedData
  const fields = Object.entries(types).map(([name, members]) => [name, [...members]])
  return {
    proposal: presentProposal(row, plan),
    typedData: { domain, types: Object.fromEntries(fields), primaryType, message },
  }
}

export function presentDispute(
  { job, dispute, proposal, failedProposal }: RuledDispute,
  planOf: (proposal: ProposalRow) => RulingPlan,
): AdminDispute {
  const shown = (row: ProposalRow | undefined) => (row ? presentProposal(row, planOf(row)) : null)
  return { job, dispute, proposal: shown(proposal), failedProposal: shown(failedProposal) }
}

export function presentAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    actorId: row.actorId,
    action: row.action,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    details: row.details,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Payloads are objects by their schemas, and what a failed try leaves behind is `{ message }`. */
export function presentDeadLetter({ id, task, payload, reason, at }: DeadLetterRow): DeadLetter {
  const hasMessage = typeof reason === 'object' && reason !== null && 'message' in reason
  return {
    id,
    task,
    payload: Object(payload),
    reason: hasMessage ? String(reason.message) : null,
    failedAt: at.toISOString(),
  }
}
