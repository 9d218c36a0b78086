import type { JobParty } from '@agent-marketplace/contract'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { ByteStream } from '../../../ports/storage/port.ts'

/** A file that is about to be uploaded. */
export interface NewFile {
  /** Null for a file that waits for a hire. */
  jobId: string | null
  ownerId: string
  name: string
  contentType: string | undefined
  /** Where it is known before the file has come in: what it has at most. */
  declaredBytes?: number | undefined
  source: ByteStream
  /** Throws where the owner may not add files there; returns the side for which they do. */
  admit: (tx: Transaction) => Promise<{ actor: JobParty }>
}
