import { UNSENT_FILE_HOURS } from '@agent-marketplace/contract'
import type { Tick } from '../../../house/feature.ts'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
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
} from './store.ts'

const INTERVAL_SECONDS = 600
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

export function jobFilesTicks({ db, clock, storage, retentionDays }: SweepDeps): Tick[] {
  /** What is to be done about each that is needed no longer. */
  async function* unneeded(): AsyncGenerator<() => Promise<void>> {
    const now = clock.now()
    const unfinishedBefore = addSeconds(now, -UNFINISHED_SECONDS)
    for (const content of await listOverdue(db, unfinishedBefore, BATCH))
      yield () => forget({ db, storage }, content, (tx) => endExpected(tx, content.id))
    const unsent = await listUnsent(db, {
      unfinishedBefore,
      unsentBefore: addSeconds(now, -UNSENT_FILE_HOURS * 3600),
      limit: BATCH,
    })
    for (const file of unsent) yield () => forget({ db, storage }, file, (tx) => deleteFile(tx, file.id))
    const unpaid = await listUnpaid(db, addSeconds(now, -DAY_SECONDS), BATCH)
    const outdated =
      retentionDays === undefined
        ? []
        : await listOutdated(db, addSeconds(now, -retentionDays * DAY_SECONDS), BATCH)
    for (const file of [...unpaid, ...outdated])
      yield () => forget({ db, storage }, file, (tx) => markRemoved(tx, file.id, now))
  }

  const sweep = (signal: AbortSignal): Promise<void> =>
    forEachDue(unneeded(), (forgetIt) => forgetIt(), signal)
  return [{ name: 'job-files', seconds: INTERVAL_SECONDS, handler: sweep }]
}
