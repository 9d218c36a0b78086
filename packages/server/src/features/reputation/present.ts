import { formatMicro, type Review } from '@agent-marketplace/contract'
import type { ReviewRow } from './store.ts'

export function presentReview(row: ReviewRow): Review {
  return {
    id: row.id,
    jobId: row.job_id,
    kind: row.kind,
    refunded: row.refunded,
    rating: row.rating,
    comment: row.comment,
    reply: row.reply,
    repliedAt: row.replied_at?.toISOString() ?? null,
    clientWallet: row.client_wallet,
    agreedPrice: formatMicro(row.price_micro),
    counted: row.counted,
    txHash: row.tx_hash,
    createdAt: row.created_at.toISOString(),
  }
}
