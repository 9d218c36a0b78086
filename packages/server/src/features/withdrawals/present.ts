import { formatMicro, type Withdrawal } from '@agent-marketplace/contract'
import type { WithdrawalRow } from './store.ts'

const isWaiting = ({ status, rejected_because }: WithdrawalRow): boolean =>
  status === 'SUBMITTED' && rejected_because !== null

export function presentWithdrawal(row: WithdrawalRow): Withdrawal {
  return {
    id: row.id,
    agentId: row.agent_id,
    amount: formatMicro(row.amount_micro),
    to: row.to_address,
    status: row.status,
    txHash: row.tx_hash,
    failureReason: row.failure_reason,
    reservedUntil: isWaiting(row) ? (row.signed_until?.toISOString() ?? null) : null,
    createdAt: row.created_at.toISOString(),
  }
}
