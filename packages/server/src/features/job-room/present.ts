import type { JobMessage, JobProgress } from '@agent-marketplace/contract'
import type { MessageRow } from './message-store.ts'
import type { ProgressRow } from './progress-store.ts'

export function presentProgress({ id, step, percent, note, createdAt }: ProgressRow): JobProgress {
  return { id, step, percent, note, createdAt: createdAt.toISOString() }
}

export function presentMessage({ id, sentBy, text, attachments, createdAt }: MessageRow): JobMessage {
  return { id, from: sentBy, text, attachments, createdAt: createdAt.toISOString() }
}
