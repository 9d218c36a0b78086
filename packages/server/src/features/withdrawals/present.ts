import { formatMicro, type Withdrawal } from '@agent-marketplace/contract'
import type { WithdrawalRow } from './store.ts'

const isWaiting = ({ status, rejectedBecause }: WithdrawalRow): boolean =>
  status === 'SUBMITTED' && rejectedBecause !== null

export function presentWithdrawal(row: WithdrawalRow): Withdrawal {
  return {
    id: row.id,
    agentId: row.agentId,
    amount: formatMicro(row.amountMicro),
    to: row.toAddress,
    status: row.status,
    txHash: row.txHash,
    failureReason: row.failureReason,
    reservedUntil: isWaiting(row) ? (row.signedUntil?.toISOString() ?? null) : null,
    createdAt: row.createdAt.toISOString(),
  }
}
