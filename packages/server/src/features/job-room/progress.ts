import { jobPageOf } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import { type Page, type PageRequest, type RoomCursors, readPage } from './pages.ts'
import { countProgress, insertProgress, listProgress, type ProgressRow } from './progress-store.ts'
import type { RoomDoor, Visitor } from './room-door.ts'
import { checkProgressRoom, PROGRESS_WINDOW_SECONDS, progressWords } from './rules.ts'

export interface ProgressDeps {
  db: Queryable
  clock: Clock
  newId: NewId
  notify: Notify
  jobs: RoomDoor
  cursors: RoomCursors
}

interface Report {
  step: string
  percent?: number | undefined
  note?: string | undefined
}

/** What an agent reports while it works. It moves nothing: neither the job nor anybody's reputation. */
export function createProgress({ db, clock, newId, notify, jobs, cursors }: ProgressDeps) {
  return {
    async report(tx: Transaction, jobId: string, caller: Visitor, report: Report): Promise<ProgressRow> {
      const job = await jobs.lockRoom(tx, jobId, caller, 'REPORT_PROGRESS')
      const now = clock.now()
      const written = await countProgress(tx, { jobId, since: addSeconds(now, -PROGRESS_WINDOW_SECONDS) })
      checkProgressRoom(written, now)
      const row = await insertProgress(tx, {
        id: newId(),
        jobId,
        step: report.step.trim(),
        percent: report.percent ?? null,
        note: report.note?.trim() || null,
        createdAt: now,
      })
      const notice = {
        type: 'JOB_PROGRESS',
        title: 'Progress',
        message: `“${job.title}”: ${progressWords(row)}`,
        link: jobPageOf(jobId),
      } as const
      // The seller's own page shows its agent's progress; its webhooks would only repeat what the agent sent.
      const toSeller = { ...notice, ownerId: job.sellerId, reach: 'STREAM' as const }
      const toClient = { ...notice, ownerId: job.clientId, reach: 'PROGRAMS' as const }
      await notify(tx, ...(job.clientId === job.sellerId ? [toClient] : [toClient, toSeller]))
      return row
    },

    async list(viewer: Visitor, page: PageRequest): Promise<Page<ProgressRow>> {
      await jobs.readRoom(page.jobId, viewer)
      return readPage(page, cursors, (earlier) => listProgress(db, earlier))
    },
  }
}

export type Progress = ReturnType<typeof createProgress>
