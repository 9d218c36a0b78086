import { AppError, type HireFile, type JobFile, type JobParty } from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Part } from '../../platform/http/download/range.ts'
import { sendDownload } from '../../platform/http/download/send-download.ts'

interface Visitor {
  ownerId: string
  isAdmin: boolean
  /** The side for which they add files, where they may be both. */
  side?: 'SELLER'
}

export interface StoredJobFile {
  name: string
  cid: string
  sizeBytes: bigint
  ownerId: string
  isSent: boolean
  removedAt: Date | null
}

export interface FileDoorDeps<File extends StoredJobFile = StoredJobFile> {
  jobs: {
    lockRoom(tx: Transaction, jobId: string, caller: Visitor, action: 'MESSAGE'): Promise<{ actor: JobParty }>
    /** Throws for everybody but the parties, and an admin where there is a dispute. */
    readRoom(jobId: string, viewer: Visitor): Promise<unknown>
  }
  files: {
    nameOf(given: string): string
    givenByClient(jobId: string): Promise<JobFile[]>
    bring(file: {
      jobId: string
      ownerId: string
      name: string
      contentType: string | undefined
      declaredBytes?: number | undefined
      source: AsyncIterable<Uint8Array>
      admit: (tx: Transaction) => Promise<{ actor: JobParty }>
    }): Promise<JobFile>
    weigh(
      file: Omit<IncomingFile, 'jobId'> & { admit: (roomBytes: number) => Promise<void> },
    ): Promise<JobFile>
    bringForHire(file: {
      ownerId: string
      name: string
      contentType: string | undefined
      declaredBytes?: number | undefined
      source: AsyncIterable<Uint8Array>
    }): Promise<HireFile>
    find(file: { jobId: string; fileId: string }): Promise<File | undefined>
    read(file: File, part?: Part): Promise<AsyncIterable<Uint8Array> | undefined>
  }
}

/** A file to add to a job, and the source of its bytes. */
export interface IncomingFile {
  jobId: string
  name: string
  contentType: string | undefined
  declaredBytes?: number | undefined
  source: AsyncIterable<Uint8Array>
}

/** Adds files to a job and reads them, for a party or on behalf of one. */
export function createFileDoor<File extends StoredJobFile>({ jobs, files }: FileDoorDeps<File>) {
  const bring = (caller: Visitor, file: IncomingFile): Promise<JobFile> =>
    files.bring({
      ...file,
      ownerId: caller.ownerId,
      admit: (tx) => jobs.lockRoom(tx, file.jobId, caller, 'MESSAGE'),
    })

  return {
    /** What a file of this name is called in a job. */
    nameOf: files.nameOf,

    /** What the client has sent to the seller, with the order or later. */
    givenByClient: files.givenByClient,

    /** For a later feature that has the file. Repeating it brings it once, until it is sent. */
    bring,

    /** The body of the request is the file. */
    upload: (
      request: FastifyRequest,
      caller: Visitor,
      { jobId, name }: { jobId: string; name: string },
    ): Promise<JobFile> => bring(caller, { ...fileIn(request), jobId, name }),

    /** The same for a test: it is uploaded as a file of a job is, and then discarded. */
    weigh: (
      request: FastifyRequest,
      name: string,
      admit: (roomBytes: number) => Promise<void>,
    ): Promise<JobFile> => files.weigh({ ...fileIn(request), name, admit }),

    /** The same before there is a job: a hire names the file later. */
    uploadForHire: (request: FastifyRequest, { ownerId }: Visitor, name: string): Promise<HireFile> =>
      files.bringForHire({ ownerId, name, ...fileIn(request) }),

    async download(
      request: FastifyRequest,
      reply: FastifyReply,
      viewer: Visitor,
      place: { jobId: string; fileId: string },
    ): Promise<void> {
      await jobs.readRoom(place.jobId, viewer)
      const file = await files.find(place)
      // The same response for a file that was not sent yet and for one that never was.
      if (!file || (!file.isSent && file.ownerId !== viewer.ownerId))
        throw new AppError('NOT_FOUND', { message: 'There is no such file.' })
      if (file.removedAt !== null)
        throw new AppError('NOT_FOUND', { message: 'The time for which files are kept is over.' })
      const { name, cid: tag, sizeBytes } = file
      const open = async (part: Part | undefined) => {
        const bytes = await files.read(file, part)
        if (!bytes) throw new AppError('INTERNAL_ERROR', { message: 'The bytes of this file are missing.' })
        return bytes
      }
      await sendDownload(request, reply, { name, tag, sizeBytes: Number(sizeBytes), open })
    },
  }
}

export type FileDoor = ReturnType<typeof createFileDoor>

function fileIn(request: FastifyRequest): Omit<IncomingFile, 'jobId' | 'name'> {
  const { 'content-type': contentType, 'content-length': length } = request.headers
  const declaredBytes = length === undefined ? undefined : Number(length)
  return { contentType, declaredBytes, source: bodyOf(request) }
}

/**
 * A sender that goes away in the middle is no fault of the service. Where the file is rejected in the middle, the rest is
 * read and thrown away, within the time for a request: else neither it nor the next request on the connection is ever read.
 */
async function* bodyOf({ raw }: FastifyRequest): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) yield chunk
  } catch (cause) {
    throw new AppError('REQUEST_TIMEOUT', { message: 'The file did not come in whole.', cause })
  } finally {
    raw.resume()
  }
}
