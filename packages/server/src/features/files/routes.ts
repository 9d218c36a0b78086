import {
  AppError,
  downloadFile,
  type FileEncoding,
  invalidField,
  uploadFile,
} from '@agent-marketplace/contract'
import { respondInSteps, type Steps } from '../../house/steps.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { downloadHeaders, isKnown } from '../../platform/http/download/send-download.ts'
import type { StoredContent } from '../../ports/storage/port.ts'
import { addFileOwner, isFileOwner } from './file-owners.ts'
import type { RecordedStorage } from './recorded-storage.ts'
import { checkUploads, countUpload } from './uploads.ts'

const headers = {
  ...downloadHeaders,
  // Signed-in callers only, so no shared cache; but the bytes of a CID never change.
  'cache-control': 'private, max-age=31536000, immutable',
}

export interface FilesRoutesDeps {
  db: Queryable
  clock: Clock
  /** Has only what this service stored. */
  storage: RecordedStorage
  /** Whether a job lets this reader have the file: as a party of it, or as an admin who may have to rule on it. */
  isSharedWith: (
    db: Queryable,
    reader: { ownerId: string; isAdmin: boolean },
    cid: string,
  ) => Promise<boolean>
}

export function filesRoutes({ db, clock, storage, isSharedWith }: FilesRoutesDeps): Route[] {
  const upload = (ownerId: string, bytes: Uint8Array): Steps<StoredContent, StoredContent> => ({
    async prepare() {
      await checkUploads(db, { ownerId, sizeBytes: bytes.length, now: clock.now() })
      return storage.put(bytes)
    },
    async decide(tx, { cid, sizeBytes }) {
      await countUpload(tx, { ownerId, sizeBytes, now: clock.now() })
      await addFileOwner(tx, { cid, ownerId })
      return { cid, sizeBytes }
    },
  })

  return [
    route(uploadFile, (call) => {
      const bytes = bytesOf(call.body.content, call.body.encoding ?? 'utf8')
      return respondInSteps(call, upload(call.principal.ownerId, bytes), ({ cid, sizeBytes }) => ({
        data: { cid, uri: `ipfs://${cid}`, sizeBytes },
      }))
    }),

    route(downloadFile, async ({ principal, params: { cid }, request, reply }) => {
      const isReadable =
        (await isFileOwner(db, { cid, ownerId: principal.ownerId })) ||
        (await isSharedWith(db, principal, cid))
      // The same response for a file of others and for one that never was.
      const file = isReadable ? await storage.get(cid) : undefined
      if (file === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such file.' })
      const etag = `"${cid}"`
      reply.headers(headers).header('etag', etag)
      if (isKnown(request.headers['if-none-match'], etag)) {
        reply.code(304).send()
        return undefined
      }
      reply
        .header('content-disposition', `attachment; filename="${cid}"`)
        .header('content-length', file.bytes.length)
        .send(file.bytes)
      return undefined
    }),
  ]
}

function bytesOf(content: string, encoding: FileEncoding): Uint8Array {
  const bytes = Buffer.from(content, encoding)
  if (encoding === 'base64' && bytes.toString('base64') !== content) {
    throw invalidField('/content', 'is not base64')
  }
  return bytes
}
