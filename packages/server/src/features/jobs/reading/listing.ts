import type { JobSort } from '@agent-marketplace/contract'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Cursors } from '../../../platform/http/cursor.ts'
import {
  type AtPlace,
  type FiledJob,
  isEmpty,
  type JobFilter,
  type JobPlace,
  type ListedJob,
  listFiledJobs,
  listJobs,
} from './list-store.ts'

/** How many jobs of an export are in memory at a time. */
const EXPORT_BATCH = 200

export interface ListingDeps {
  db: Database
  searchDb: Database
  clock: Clock
  /** Bound to the filter and the order. */
  listCursors: Cursors<JobPlace>
}

const placeOf = ({ place, id }: AtPlace<{ id: string }>): JobPlace => ({ key: place, id })

/** Lists of an owner's jobs: pages in any order, and a file of all. Between two reads no connection is held. */
export function createListing({ db, searchDb, clock, listCursors }: ListingDeps) {
  const readerFor = ({ words }: JobFilter): Database => (words.length > 0 ? searchDb : db)

  return {
    async list(
      filter: JobFilter,
      { sort, limit, cursor }: { sort: JobSort; limit: number; cursor: string | undefined },
    ): Promise<{ jobs: ListedJob[]; nextCursor: string | null; now: Date }> {
      const now = clock.now()
      const listed = { ...filter, sort }
      const after = cursor === undefined ? undefined : listCursors.read(cursor, listed)
      // One more than requested shows whether there is a next page.
      const found = isEmpty(filter)
        ? []
        : await listJobs(readerFor(filter), { ...listed, limit: limit + 1, after })
      const jobs = found.slice(0, limit)
      const last = jobs.at(-1)
      const hasMore = found.length > limit && last !== undefined
      return { jobs, nextCursor: hasMore ? listCursors.write(placeOf(last), listed) : null, now }
    },

    /** All that fit, oldest first. */
    async *exportInBatches(filter: JobFilter): AsyncGenerator<FiledJob[]> {
      let after: JobPlace | undefined
      while (!isEmpty(filter)) {
        const jobs = await listFiledJobs(readerFor(filter), {
          ...filter,
          sort: 'oldest',
          limit: EXPORT_BATCH,
          after,
        })
        yield jobs
        const last = jobs.at(-1)
        if (last === undefined || jobs.length < EXPORT_BATCH) return
        after = placeOf(last)
      }
    },
  }
}
