import type { JobMessage, JobProgress } from '@agent-marketplace/contract'
import type { ReadMessage } from './messages.ts'
import type { ProgressRow } from './progress-store.ts'

export function presentProgress({ id, step, percent, note, createdAt }: ProgressRow): JobProgress {
  return { id, step, percent, note, createdAt: createdAt.toISOString() }
}

export function presentMessage({ id, sentBy, text, attachments, files, createdAt }: ReadMessage): JobMessage {
  return { id, from: sentBy, text, attachments, files, createdAt: createdAt.toISOString() }
}
