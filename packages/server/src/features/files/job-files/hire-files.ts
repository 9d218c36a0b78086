import type { HireFile } from '@agent-marketplace/contract'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { checkHireFiles, checkWaiting, isFree } from './hire-rules.ts'
import {
  countWaiting,
  giveToJobs,
  listNamed,
  lockNamed,
  type NamedFile,
  type TakenFile,
} from './hire-store.ts'
import type { NewFile } from './new-file.ts'
import { presentHireFile } from './present.ts'
import { roomFor } from './rules.ts'
import { type JobFileRow, lockUploadsOf } from './store.ts'

interface HireFilesDeps {
  clock: Clock
  /** Streams a file in. */
  receive: (file: NewFile) => Promise<JobFileRow>
}

/** The files that a hire names. */
export interface HireWish {
  ownerId: string
  ids: readonly string[]
}

/** Locked files, which the hires of one transaction share out. */
export interface LockedFiles {
  /**
   * Throws where the hire cannot have its files; else returns what takes them. A hire that is paid already gets those
   * that are there.
   */
  claim(wish: HireWish & { isPaid?: boolean | undefined }): (jobId: string) => void
  /** Makes what was taken files of the jobs, which are there by now. */
  give(tx: Queryable): Promise<void>
}

/** Files that clients upload before a hire. Until a hire takes them they belong to no job, and only their owner can use them. */
export function createHireFiles({ clock, receive }: HireFilesDeps) {
  const namedIn = (wishes: readonly HireWish[]) =>
    wishes.flatMap(({ ownerId, ids }) => ids.map((id) => ({ ownerId, id })))
  const keyOf = ({ id, ownerId }: { id: string; ownerId: string }) => `${ownerId} ${id}`

  return {
    async bringForHire(file: Omit<NewFile, 'jobId' | 'admit'>): Promise<HireFile> {
      const room = roomFor(file.declaredBytes)
      const row = await receive({
        ...file,
        jobId: null,
        admit: async (tx) => {
          await lockUploadsOf(tx, file.ownerId)
          checkWaiting(await countWaiting(tx, file.ownerId), room, clock.now())
          return { actor: 'CLIENT' }
        },
      })
      return presentHireFile(row)
    },

    /** Whether a hire could have these files now. */
    async checkForHire(db: Queryable, { ownerId, ids }: HireWish): Promise<void> {
      if (ids.length === 0) return
      const found = await listNamed(db, namedIn([{ ownerId, ids }]))
      checkHireFiles(ids, new Map(found.map((file) => [file.id, file])), clock.now())
    },

    async lockForHire(tx: Queryable, wishes: readonly HireWish[]): Promise<LockedFiles> {
      const named = namedIn(wishes)
      const found = named.length === 0 ? [] : await lockNamed(tx, named)
      const files = new Map(found.map((file) => [keyOf(file), file]))
      const taken: TakenFile[] = []
      const now = clock.now()
      return {
        claim({ ownerId, ids, isPaid = false }) {
          const known = new Map<string, NamedFile>()
          for (const id of ids) {
            const file = files.get(keyOf({ id, ownerId }))
            if (file) known.set(id, file)
          }
          const wanted = isPaid ? ids.filter((id) => isFree(known.get(id), now)) : ids
          checkHireFiles(wanted, known, now)
          return (jobId) => {
            for (const [place, id] of wanted.entries()) {
              taken.push({ id, jobId, place })
              const file = known.get(id)
              if (file) files.set(keyOf(file), { ...file, jobId })
            }
          }
        },
        give: async (given) => {
          if (taken.length > 0) await giveToJobs(given, taken)
        },
      }
    },
  }
}
