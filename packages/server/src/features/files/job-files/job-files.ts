import { AppError, invalidField, type JobFile } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { ByteStream, Part, StoragePort } from '../../../ports/storage/port.ts'
import { expectContent } from '../expected-content.ts'
import { computeFolderCid, type FolderEntry } from './folder-cid.ts'
import { createHireFiles } from './hire-files.ts'
import { mediaTypeOf, safeFileName } from './names.ts'
import type { NewFile } from './new-file.ts'
import { presentJobFile } from './present.ts'
import { checkRoom, DAY_SECONDS, roomFor, tooLarge } from './rules.ts'
import {
  deleteFile,
  type JobFileRow,
  listAttachments,
  listFiles,
  listOwnFiles,
  listReplaced,
  listSentByClient,
  lockContent,
  lockUsage,
  markSent,
  reserve,
  saveContent,
  saveExpected,
  saveMediaType,
} from './store.ts'
import { forget } from './sweep.ts'

/**
 * Files of jobs, which later features are handed as `files.jobFiles`:
 *
 *   bring({ jobId, ownerId, name, contentType, declaredBytes?, source, admit }): Promise<JobFile>
 *     Streams a file into a job, as an unsent file of `ownerId`. `admit(tx)` locks the job, throws where the owner may
 *     not write in it, and returns for which side they do: `jobs.lockRoom(tx, jobId, caller, 'MESSAGE')` is made for it.
 *     Then name its id in `files` of a delivery (`DeliveryBody.files`) or a message.
 *   sendable(db, { jobId, ownerId, ids }): Promise<JobFileRow[]>, and then send(tx, rows)
 *     For those who send files: the owner's own files of this job, or a 400; `send` keeps them for good.
 *   folderCidOf(rows, more): Promise<string>
 *   byIds(db, ids): Promise<Map<string, JobFile>>
 *   bringForHire(file), then checkForHire(db, wish) in a quote, and lockForHire(tx, wishes) in the transaction that hires
 *     For files that come before their job.
 *   find({ jobId, fileId }), read(file, part?), givenByClient(jobId)
 */
export interface JobFilesDeps {
  db: Database
  clock: Clock
  newId: NewId
  storage: StoragePort
}

export function createJobFiles({ db, clock, newId, storage }: JobFilesDeps) {
  /** The reserved room becomes the file. One of the same name that was not sent is replaced, or is this very file already. */
  async function finish(id: string, stored: { cid: string; sizeBytes: number; dagBytes: number }) {
    return db.transaction(async (tx) => {
      await lockContent(tx, stored.cid)
      const file = await saveContent(tx, id, stored)
      if (!file) throw new AppError('UNAVAILABLE', { message: 'The upload took too long. Try again.' })
      const replaced = await listReplaced(tx, file)
      const same = replaced.find(({ cid }) => cid === file.cid)
      const others = replaced.filter(({ cid }) => cid !== file.cid)
      if (!same) return { file, replaced: others }
      await deleteFile(tx, id)
      return { file: await saveMediaType(tx, same.id, file.mediaType), replaced: others }
    })
  }

  async function receive(file: NewFile): Promise<JobFileRow> {
    const { jobId, ownerId, admit, source, declaredBytes, ...given } = file
    const room = roomFor(declaredBytes)
    const id = newId()
    await db.transaction(async (tx) => {
      const { actor } = await admit(tx)
      const now = clock.now()
      checkRoom(await lockUsage(tx, { jobId, ownerId, since: addSeconds(now, -DAY_SECONDS) }), room, now)
      await reserve(tx, {
        id,
        jobId,
        ownerId,
        broughtBy: actor === 'SELLER' ? 'SELLER' : 'CLIENT',
        name: safeFileName(given.name),
        mediaType: mediaTypeOf(given.contentType),
        sizeBytes: BigInt(room),
        createdAt: now,
      })
    })
    let expected: string | null = null
    try {
      const stored = await storage.putStream(source, (cid) => {
        expected = cid
        return saveExpected(db, id, cid)
      })
      if (stored.sizeBytes > room) throw tooLarge(`The file has more than ${room} bytes.`, room)
      const { file: received, replaced } = await finish(id, stored)
      // Another file with the same bytes may have been removed during this upload.
      if (!(await storage.has(stored.cid)))
        throw new AppError('UNAVAILABLE', { message: 'The file was not kept. Try again.' })
      // Where this fails, the sweep does it: nobody sent that file.
      for (const old of replaced)
        await forget({ db, storage }, old, (tx) => deleteFile(tx, old.id)).catch(() => undefined)
      return received
    } catch (error) {
      // Where this fails too, the sweep does it.
      await forget({ db, storage }, { cid: expected }, (tx) => deleteFile(tx, id)).catch(() => undefined)
      throw error
    }
  }

  return {
    ...createHireFiles({ clock, receive }),

    /** What a file of this name is called here. */
    nameOf: safeFileName,

    bring: async (file: NewFile & { jobId: string }): Promise<JobFile> => presentJobFile(await receive(file)),

    /** What a file would be in a job, for a test of all that leads there. Nothing of it stays. */
    async weigh({
      name,
      contentType,
      declaredBytes,
      source,
      admit,
    }: Omit<NewFile, 'jobId' | 'ownerId' | 'admit'> & {
      admit: (roomBytes: number) => Promise<void>
    }): Promise<JobFile> {
      const room = roomFor(declaredBytes)
      await admit(room)
      const expectation = expectContent({ db, clock, newId })
      const { cid, sizeBytes } = await storage.putStream(source, expectation.announce)
      await forget({ db, storage }, { cid }, expectation.end)
      if (sizeBytes > room) throw tooLarge(`The file has more than ${room} bytes.`, room)
      return {
        id: newId(),
        name: safeFileName(name),
        mediaType: mediaTypeOf(contentType),
        sizeBytes,
        cid,
        from: 'SELLER',
        removed: false,
        createdAt: clock.now().toISOString(),
      }
    },

    async sendable(
      tx: Queryable,
      { ids, ...owner }: { jobId: string; ownerId: string; ids: readonly string[] },
    ): Promise<JobFileRow[]> {
      if (ids.length === 0) return []
      const files = await listOwnFiles(tx, { ...owner, ids })
      // The same response for a file of others and for one that never was.
      if (files.length !== ids.length)
        throw invalidField('/files', 'must be files that you have brought into this job')
      return files
    },

    async send(tx: Queryable, files: readonly Pick<JobFileRow, 'id'>[]): Promise<void> {
      if (files.length === 0) return
      const sent = await markSent(
        tx,
        files.map(({ id }) => id),
      )
      if (sent !== files.length) throw invalidField('/files', 'were removed meanwhile; upload them again')
    },

    /** Over all that is sent together, each under its name. */
    async folderCidOf(files: readonly FolderEntry[], more: readonly FolderEntry[]): Promise<string> {
      const entries = [...more, ...files]
      const names = entries.map(({ name }) => name)
      const twice = names.find((name, place) => names.indexOf(name) !== place)
      if (twice !== undefined) throw invalidField('/files', `have two with the name ${twice}`)
      return computeFolderCid(entries)
    },

    async byIds(queryable: Queryable, ids: readonly string[]): Promise<Map<string, JobFile>> {
      const files = await listFiles(queryable, ids)
      return new Map(files.map((file) => [file.id, presentJobFile(file)]))
    },

    /** By its id; a file that was given by its content alone has its CID as its id. */
    async find({ jobId, fileId }: { jobId: string; fileId: string }): Promise<JobFileRow | undefined> {
      const [file] = await listFiles(db, [fileId])
      if (file) return file.jobId === jobId ? file : undefined
      const [attachment] = await listAttachments(db, { jobId, cid: fileId })
      return attachment
    },

    /** All files that the client has sent to the seller. */
    async givenByClient(jobId: string): Promise<JobFile[]> {
      const given = [...(await listAttachments(db, { jobId })), ...(await listSentByClient(db, jobId))]
      return given.map(presentJobFile)
    },

    read: ({ cid, sizeBytes }: JobFileRow, part?: Part): Promise<ByteStream | undefined> =>
      storage.read(cid, { sizeBytes: Number(sizeBytes), part }),
  }
}

export type JobFiles = ReturnType<typeof createJobFiles>
