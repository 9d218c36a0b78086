import type { HireFile, JobFile } from '@agent-marketplace/contract'
import { expiryOf } from './hire-rules.ts'
import type { JobFileRow } from './store.ts'

export function presentJobFile(file: JobFileRow): JobFile {
  const { id, name, mediaType, sizeBytes, cid, broughtBy, removedAt, createdAt } = file
  return {
    id,
    name,
    mediaType,
    sizeBytes: Number(sizeBytes),
    cid,
    from: broughtBy,
    removed: removedAt !== null,
    createdAt: createdAt.toISOString(),
  }
}

export function presentHireFile(file: JobFileRow): HireFile {
  const { id, name, mediaType, sizeBytes, cid } = file
  return { id, name, mediaType, sizeBytes: Number(sizeBytes), cid, expiresAt: expiryOf(file).toISOString() }
}
