import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { StoragePort } from '../../../ports/storage/port.ts'
import { checkDeliveryBody, checkOutput, type DeliveryBody } from './agreement.ts'
import { type Caller, rolesOfCaller } from './decisions.ts'
import { findOutputSchema } from './delivery-store.ts'
import { findJob } from './store.ts'

export interface DeliveryDeps {
  db: Database
  storage: Pick<StoragePort, 'put'>
  /** Files that the parties brought into the job. */
  jobFiles: {
    sendable(
      db: Queryable,
      files: { jobId: string; ownerId: string; ids: string[] },
    ): Promise<DeliveredFile[]>
    folderCidOf(files: readonly DeliveredFile[], more: readonly FolderEntry[]): Promise<string>
  }
}

/** A file in the folder of a delivery. */
export interface FolderEntry {
  name: string
  cid: string
  dagBytes: bigint
}

export type DeliveredFile = FolderEntry & { id: string }

export interface StoredDelivery {
  cid: string
  files: readonly DeliveredFile[]
  content: string | null
  note: string | null
  isJson: boolean
  /** Of the content alone, where there is one. */
  textCid?: string
}

/**
 * Keeps the content first, since no network call belongs into a transaction. Nothing is kept for a job that takes no
 * delivery now; whether that is an error is decided by the action, behind the Idempotency-Key.
 */
export function createDeliveryStoring(deps: DeliveryDeps) {
  /** As an entry of the delivery's folder, beside its files. */
  async function storeText(
    content: string,
    isJson: boolean,
    files: readonly FolderEntry[],
  ): Promise<FolderEntry> {
    const { cid, dagBytes } = await deps.storage.put(Buffer.from(content, 'utf8'))
    const name = freeName(isJson ? ['output', '.json'] : ['delivery', '.md'], files)
    return { name, cid, dagBytes: BigInt(dagBytes) }
  }

  return async function storeDelivery(
    { jobId, caller }: { jobId: string; caller: Caller },
    body: DeliveryBody,
  ): Promise<StoredDelivery | undefined> {
    const { deliveryCid, output, note } = body
    checkDeliveryBody(body)
    const job = await findJob(deps.db, jobId)
    const isDue = job?.status === 'IN_PROGRESS' && rolesOfCaller(job, caller).includes('SELLER')
    if (!isDue) return undefined
    checkOutput(body, await findOutputSchema(deps.db, jobId))
    const words = wordsOf(note) ?? null
    if (deliveryCid !== undefined) {
      const cid = deliveryCid.replace('ipfs://', '')
      return { cid, files: [], content: null, note: words, isJson: false }
    }
    const files = await deps.jobFiles.sendable(deps.db, {
      jobId,
      ownerId: job.sellerId,
      ids: body.files ?? [],
    })
    const isJson = output !== undefined
    const content = isJson ? JSON.stringify(output, null, 2) : (body.content ?? null)
    const text = content === null ? [] : [await storeText(content, isJson, files)]
    const [alone] = text
    const cid = files.length === 0 && alone ? alone.cid : await deps.jobFiles.folderCidOf(files, text)
    return { cid, files, content, note: words, isJson, ...(alone && { textCid: alone.cid }) }
  }
}

export const wordsOf = (text: string | undefined): string | undefined => text?.trim() || undefined

/** The seller chooses the names of files, so the text takes one that is left. */
function freeName([stem, extension]: [string, string], files: readonly FolderEntry[]): string {
  const taken = new Set(files.map(({ name }) => name))
  let name = `${stem}${extension}`
  for (let copy = 2; taken.has(name); copy += 1) name = `${stem}-${copy}${extension}`
  return name
}
