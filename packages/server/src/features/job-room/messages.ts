import { invalidField, type JobFile, jobPageOf, type MessageBody } from '@agent-marketplace/contract'
import { wordsOf } from '../../house/message-words.ts'
import { addSeconds } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { excerptOf } from '../../platform/notices/excerpt.ts'
import { countMessages, insertMessage, listMessages, type MessageRow } from './message-store.ts'
import { type Page, type PageRequest, readPage } from './pages.ts'
import type { ProgressDeps } from './progress.ts'
import type { Visitor } from './room-door.ts'
import { checkMessageRoom, filesInWords, MESSAGE_WINDOW_SECONDS } from './rules.ts'

export interface MessagesDeps extends ProgressDeps {
  /** Whether this owner has stored all of these files. */
  ownsFiles: (db: Queryable, files: { ownerId: string; cids: string[] }) => Promise<boolean>
  /** Files that the parties added to the job. */
  jobFiles: {
    sendable(
      db: Queryable,
      files: { jobId: string; ownerId: string; ids: string[] },
    ): Promise<readonly { id: string }[]>
    send(tx: Queryable, files: readonly { id: string }[]): Promise<void>
    byIds(db: Queryable, ids: readonly string[]): Promise<Map<string, JobFile>>
  }
  /** Notifies the feature that passes the client's messages on to agents. */
  followClient: (tx: Transaction, written: { jobId: string }) => Promise<void>
}

export interface ReadMessage extends Omit<MessageRow, 'files'> {
  files: JobFile[]
}

/**
 * What the two parties write to each other. It promises: a message that was accepted is there, with its notification, and
 * stays as it was written; its attachments are the sender's own files, and readable by both parties from then on.
 */
export function createMessages(deps: MessagesDeps) {
  const { db, clock, newId, notify, jobs, cursors, ownsFiles, jobFiles } = deps

  async function withFiles(queryable: Queryable, rows: readonly MessageRow[]): Promise<ReadMessage[]> {
    const ids = rows.flatMap(({ files }) => files)
    const known = await jobFiles.byIds(queryable, ids)
    return rows.map((row) => ({ ...row, files: row.files.flatMap((id) => known.get(id) ?? []) }))
  }

  return {
    async send(tx: Transaction, jobId: string, caller: Visitor, message: MessageBody): Promise<ReadMessage> {
      const { actor, ...job } = await jobs.lockRoom(tx, jobId, caller, 'MESSAGE')
      const { ownerId: senderId } = caller
      const sentBy = actor === 'SELLER' ? 'SELLER' : 'CLIENT'
      const now = clock.now()
      const since = addSeconds(now, -MESSAGE_WINDOW_SECONDS)
      checkMessageRoom(await countMessages(tx, { jobId, sentBy, since }), now)
      const attachments = message.attachments ?? []
      const cids = attachments.map((uri) => uri.replace('ipfs://', ''))
      // The same response for a file of others and for one that never was.
      if (!(await ownsFiles(tx, { ownerId: senderId, cids })))
        throw invalidField('/attachments', 'must be files that you have stored here')
      const files = message.files ?? []
      const text = wordsOf(message)
      await jobFiles.send(tx, await jobFiles.sendable(tx, { jobId, ownerId: senderId, ids: files }))
      const row = await insertMessage(tx, {
        id: newId(),
        jobId,
        senderId,
        sentBy,
        text,
        attachments,
        files,
        createdAt: now,
      })
      const receiverId = row.sentBy === 'SELLER' ? job.clientId : job.sellerId
      if (receiverId !== senderId)
        await notify(tx, {
          ownerId: receiverId,
          type: 'JOB_MESSAGE',
          title: row.sentBy === 'SELLER' ? 'Message from the seller' : 'Message from the buyer',
          message: `“${job.title}”: ${text === '' ? filesInWords(files.length + attachments.length) : excerptOf(text)}`,
          link: jobPageOf(jobId),
          foldKey: `JOB_MESSAGE:${jobId}`,
        })
      if (row.sentBy === 'CLIENT') await deps.followClient(tx, { jobId })
      const [sent] = await withFiles(tx, [row])
      return sent ?? { ...row, files: [] }
    },

    async list(viewer: Visitor, page: PageRequest): Promise<Page<ReadMessage>> {
      await jobs.readRoom(page.jobId, viewer)
      const { rows, nextCursor } = await readPage(page, cursors, (earlier) => listMessages(db, earlier))
      return { rows: await withFiles(db, rows), nextCursor }
    },
  }
}

export type Messages = ReturnType<typeof createMessages>
