import { formatMicro, type Withdrawal } from '@agent-marketplace/contract'
import type { WithdrawalRow } from './store.ts'

export function presentWithdrawal(row: WithdrawalRow): Withdrawal {
  return {
    id: row.id,
    agentId: row.agent_id,
    amount: formatMicro(row.amount_micro),
    to: row.to_address,
    status: row.status,
    txHash: row.tx_hash,
    failureReason: row.failure_reason,
    createdAt: row.created_at.toISOString(),
  }
}
