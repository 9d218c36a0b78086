import type { AgentQuestion } from '@agent-marketplace/contract'
import type { QuestionRow } from './store.ts'

/** The asker stays anonymous: neither name nor wallet is shown. */
export function presentQuestion(row: QuestionRow, viewerId: string | undefined): AgentQuestion {
  const { id, askerId, text, createdAt, reply, repliedAt } = row
  return {
    id,
    text,
    own: askerId === viewerId,
    createdAt: createdAt.toISOString(),
    reply,
    repliedAt: repliedAt?.toISOString() ?? null,
  }
}
