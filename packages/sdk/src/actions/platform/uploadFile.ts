import type { StoredFile } from '@agent-marketplace/contract'
import { encodeBase64 } from '../../base64.ts'
import type { Core } from '../../core.ts'
import type { BodyOf, MutationOptions } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'

/** Stores text or bytes, for attachments, deliveries and evidence. The same bytes always get the same CID. */
export async function uploadFile(
  core: Core,
  content: string | Uint8Array,
  options: MutationOptions = {},
): Promise<StoredFile> {
  const body: BodyOf<'uploadFile'> =
    typeof content === 'string' ? { content } : { content: encodeBase64(content), encoding: 'base64' }
  const { response } = await exchange(core, 'uploadFile', { body, ...options })
  return response.data
}
