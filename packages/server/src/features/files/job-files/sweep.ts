import { UNSENT_FILE_HOURS } from '@agent-marketplace/contract'
import type { Tick } from '../../../house/feature.ts'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { createDueWork } from '../../../platform/queue/due-work.ts'
import { forEachDue } from '../../../platform/queue/each-due.ts'
import type { StoragePort } from '../../../ports/storage/port.ts'
import { endExpected, listOverdue } from '../expected-content.ts'
import { listUnpaid } from './hire-store.ts'
import { DAY_SECONDS } from './rules.ts'
import {
  deleteFile,
  isReferredTo,
  listOutdated,
  listUnsent,
  lockContent,
  markRemoved,
  type Unneeded,
  type UnneededPage,
} from './store.ts'

const INTERVAL_SECONDS = 60
/** Longer than an upload can take. */
const UNFINISHED_SECONDS = 3600
const BATCH = 200

interface SweepDeps {
  db: Database
  clock: Clock
  storage: StoragePort
  /** How long the files of an ended job are kept; undefined keeps them for good. */
  retentionDays: number | undefined
}

/**
 * Ends one reference to a content, and removes the bytes with the last one. Both happen, or the reference is still there
 * and the next sweep finds it.
 */
export async function forget(
  { db, storage }: Pick<SweepDeps, 'db' | 'storage'>,
  { cid }: Pick<Unneeded, 'cid'>,
  end: (tx: Queryable) => Promise<boolean>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (cid !== null) await lockContent(tx, cid)
    if (!(await end(tx)) || cid === null || (await isReferredTo(tx, cid))) return
    await storage.remove(cid)
  })
}

/** One kind of files that are no longer needed: how to list them, and how to end one. */
interface UnneededKind {
  id: string
  list: (now: Date, page: UnneededPage) => Promise<Unneeded[]>
  end: (tx: Queryable, id: string, now: Date) => Promise<boolean>
}

export function jobFilesTicks({ db, clock, storage, retentionDays }: SweepDeps): Tick[] {
  const kinds: UnneededKind[] = [
    {
      id: 'expected content',
      list: (now, page) => listOverdue(db, { before: addSeconds(now, -UNFINISHED_SECONDS), ...page }),
      end: endExpected,
    },
    {
      id: 'unsent files',
      list: (now, page) =>
        listUnsent(db, {
          unfinishedBefore: addSeconds(now, -UNFINISHED_SECONDS),
          unsentBefore: addSeconds(now, -UNSENT_FILE_HOURS * 3600),
          ...page,
        }),
      end: deleteFile,
    },
    {
      id: 'files of unpaid hires',
      list: (now, page) => listUnpaid(db, { endedBefore: addSeconds(now, -DAY_SECONDS), ...page }),
      end: (tx, id, at) => markRemoved(tx, { id, why: 'unpaid_since', at }),
    },
  ]
  if (retentionDays !== undefined)
    kinds.push({
      id: 'files of ended jobs',
      list: (now, page) =>
        listOutdated(db, { endedBefore: addSeconds(now, -retentionDays * DAY_SECONDS), ...page }),
      end: (tx, id, at) => markRemoved(tx, { id, why: 'job_ended_at', at }),
    })

  const parts = kinds.map(({ id, list, end }) => {
    const run = createDueWork<Unneeded, Date>({
      list: (after, now) => list(now, { after, limit: BATCH }),
      work: (file, now) => forget({ db, storage }, file, (tx) => end(tx, file.id, now)),
    })
    return { id, run }
  })
  const sweep = (signal: AbortSignal): Promise<void> => {
    const now = clock.now()
    return forEachDue(parts, ({ run }) => run(now, signal), { signal })
  }
  return [{ name: 'job-files', seconds: INTERVAL_SECONDS, handler: sweep }]
}
