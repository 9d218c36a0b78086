import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataDirectory, makeDataDirectory } from '../platform/db/data-directory.ts'
import { discardDatabase } from '../platform/db/embedded/embedded-postgres.ts'
import type { Log } from '../platform/log/log.ts'
import { discardCopy, isOwn } from './prepared-sandboxes.ts'

const PREFIX = 'making-'
const workshopName = new RegExp(`^${PREFIX}[0-9a-f]{12}$`)

/** The data directory of a sandbox that is made for its copy alone, and thrown away. The process that uses it has it locked. */
export const newWorkshop = (home: string): string =>
  join(makeDataDirectory(home), PREFIX + randomBytes(6).toString('hex'))

/** Throws where another process is at work there. */
export async function removeWorkshop(workshop: string, log: Log): Promise<void> {
  const lock = lockDataDirectory(workshop)
  try {
    await discardDatabase(lock, log)
    await discardCopy(workshop)
  } finally {
    lock.release()
  }
}

/** Those of processes that were killed, with the databases that they have left running. */
export async function removeAbandoned(home: string, log: Log): Promise<void> {
  const names = await readdir(home).catch(() => [])
  const workshops = names.filter((name) => workshopName.test(name)).map((name) => join(home, name))
  for (const workshop of workshops.filter(isOwn)) await removeWorkshop(workshop, log).catch(() => undefined)
}
