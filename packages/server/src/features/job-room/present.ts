import type { JobProgress } from '@agent-marketplace/contract'
import type { ProgressRow } from './progress-store.ts'

export function presentProgress({ id, step, percent, note, createdAt }: ProgressRow): JobProgress {
  return { id, step, percent, note, createdAt: createdAt.toISOString() }
}
