import type { JobFile } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'
import type { SentFile } from '../transport/prepare.ts'
import { readBody, whileItComes } from '../transport/readBody.ts'

/** As long as the service waits for a file. */
const UPLOAD_TIMEOUT_MS = 600_000

export interface NewJobFile {
  name: string
  content: SentFile['content']
  /** The file's own where it has one, else `application/octet-stream`. */
  mediaType?: string | undefined
}

export interface UploadOptions extends CallOptions {
  /** Sends the file in another way, as a page does to show how far it is. */
  fetch?: typeof fetch | undefined
}

/**
 * Brings a file into a job, to be sent with a delivery or a message by its id (`files: [file.id]`). Repeating it brings
 * nothing twice: an unsent file of the same name is replaced.
 */
export async function uploadJobFile(
  core: Core,
  jobId: string,
  { name, content, mediaType }: NewJobFile,
  { signal, fetch }: UploadOptions = {},
): Promise<JobFile> {
  const own = content instanceof Blob ? content.type : ''
  const file = { content, mediaType: mediaType ?? (own === '' ? 'application/octet-stream' : own) }
  const { response } = await exchange(core, 'uploadJobFile', {
    params: { id: jobId, name },
    file,
    signal,
    fetch,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  })
  return response.data
}

/** The bytes of a file of a job. */
export async function downloadJobFile(
  core: Core,
  jobId: string,
  fileId: string,
  { signal }: CallOptions = {},
): Promise<Uint8Array> {
  const { response } = await exchange(core, 'downloadJobFile', { params: { id: jobId, fileId }, signal })
  return readBody(whileItComes(core, response))
}
