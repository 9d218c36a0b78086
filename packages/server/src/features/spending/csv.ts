import { formatUsdcExact } from '@agent-marketplace/contract'
import { spendingIdOf } from './present.ts'
import type { SpendingRow } from './store.ts'

export const spendingHeader = [
  'Date (UTC)',
  'Kind',
  'Agent',
  'Agent ID',
  'Job',
  'Paid (USDC)',
  'Refunded (USDC)',
  'Job ID',
  'Transaction',
  'Entry ID',
]

export function spendingCells(row: SpendingRow): string[] {
  return [
    row.at.toISOString(),
    row.kind,
    row.agentName ?? '',
    row.agentId ?? '',
    row.jobTitle ?? '',
    formatUsdcExact(row.paidMicro),
    formatUsdcExact(row.refundedMicro),
    row.jobId ?? '',
    row.txHash ?? '',
    spendingIdOf(row),
  ]
}
