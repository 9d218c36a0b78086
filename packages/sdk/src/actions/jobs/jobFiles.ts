import type { HireFile, JobFile } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'
import type { SentFile } from '../../transport/prepare.ts'
import { readBody, whileItComes } from '../../transport/readBody.ts'

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
  file: NewJobFile,
  options: UploadOptions = {},
): Promise<JobFile> {
  const params = { id: jobId, name: file.name }
  const { response } = await exchange(core, 'uploadJobFile', { params, ...sendingOf(file, options) })
  return response.data
}

/**
 * Uploads a file for the seller before the hire, to be named in it by its id. Each call makes a file of its own, which is
 * for one job and is removed after 24 hours unless a hire has taken it.
 *
 * @example
 * const ledger = await marketplace.uploadHireFile({ name: 'October.csv', content: bytes, mediaType: 'text/csv' })
 * await marketplace.hire({ ...order, files: [ledger.id] })
 */
export async function uploadHireFile(
  core: Core,
  file: NewJobFile,
  options: UploadOptions = {},
): Promise<HireFile> {
  const params = { name: file.name }
  const { response } = await exchange(core, 'uploadHireFile', { params, ...sendingOf(file, options) })
  return response.data
}

function sendingOf({ content, mediaType }: NewJobFile, { signal, fetch }: UploadOptions) {
  const own = content instanceof Blob ? content.type : ''
  const file = { content, mediaType: mediaType ?? (own === '' ? 'application/octet-stream' : own) }
  return { file, signal, fetch, timeoutMs: UPLOAD_TIMEOUT_MS }
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
