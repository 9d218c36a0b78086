import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Connection } from '../platform/db/connection.ts'
import { type DataDirectory, lockDataDirectory } from '../platform/db/data-directory.ts'
import { backUpCluster } from '../platform/db/embedded/cluster-backup.ts'
import { beginWithBackup } from '../platform/db/embedded/embedded-postgres.ts'
import { copyInto } from '../platform/disk/copy-tree.ts'
import { PRIVATE_FOLDER, syncTree } from '../platform/disk/private.ts'
import type { Log } from '../platform/log/log.ts'
import { sandboxFiles } from '../sandbox-reset.ts'
import { renewSecrets } from '../sandbox-secrets.ts'
import { keyOf } from './key.ts'
import { isWhole, madeAtMsOf, writeManifest } from './manifest.ts'

/** The demo data ends on the day on which it was made. */
const USABLE_MS = 24 * 3600 * 1000
/** Of other versions and settings too; each takes about 60 MB. */
const KEPT = 3
const DRAFT = 'new-'
const CLUSTER = 'postgres'
/** Copies and drafts. The folder may hold other things, which are nobody's business here. */
const ownName = /^(?:new|[0-9a-f]{20})-[0-9a-f]{12}$/

export interface NewSandbox {
  dataDir: DataDirectory
  connection: Connection
  cluster: string
}

export type PreparedSandboxes = NonNullable<ReturnType<typeof openPreparedSandboxes>>

/**
 * Copies of sandboxes as they were when they had just been made: a later one with the same key need not be made. None of
 * this ever keeps a start from going on. Undefined where none are kept.
 */
export function openPreparedSandboxes(config: Config, log: Log) {
  const home = config.preparedDirectory && placeFor(config.preparedDirectory, config)
  const key = home && orNothing(() => keyOf(config))
  if (!home || !key) return undefined
  const isUsable = (copy: string): boolean => isOwn(copy) && ageMsOf(copy) < USABLE_MS && isWhole(copy)

  /** The folder of a copy that can be taken now. */
  const find = (): string | undefined =>
    orNothing(() =>
      namesIn(home)
        .filter((name) => name.startsWith(key))
        .map((name) => join(home, name))
        .find(isUsable),
    )

  return {
    home,
    find,

    /** Keeps a new sandbox that nobody has used yet. One process does so at a time; the others have theirs already. */
    async keep(sandbox: NewSandbox): Promise<void> {
      let lock: DataDirectory | undefined
      try {
        lock = lockDataDirectory(home)
        if (find() === undefined) await keepIn(home, key, sandbox)
      } catch (error) {
        log.info({ err: error }, 'no copy of this sandbox is kept')
      } finally {
        lock?.release()
      }
    },
  }
}

/** Fills a data directory that is marked as to be thrown away, until all of this is on the disk. */
export async function fillFrom(copy: string, dataDir: DataDirectory, log: Log): Promise<void> {
  await copyInto(dataDir.path, existingIn(copy))
  renewSecrets(dataDir.path)
  const filling = [
    ...existingIn(dataDir.path).map(syncTree),
    beginWithBackup(dataDir, join(copy, CLUSTER), log),
  ]
  // Where one fails a new sandbox is made here, so none of the others may still be at work.
  await Promise.allSettled(filling)
  await Promise.all(filling)
}

/** Under another name first: a start that is copying it fails then, and never gets a part of it. */
export async function discardCopy(copy: string): Promise<void> {
  const draft = join(dirname(copy), DRAFT + newId())
  await rename(copy, draft)
  await rm(draft, { recursive: true, force: true })
}

async function keepIn(home: string, key: string, sandbox: NewSandbox): Promise<void> {
  await removeOld(home, key)
  const id = newId()
  const draft = join(home, DRAFT + id)
  await mkdir(draft, { mode: PRIVATE_FOLDER })
  try {
    const madeAtMs = Date.now()
    await backUpCluster({ ...sandbox, target: join(draft, CLUSTER) })
    await copyInto(draft, existingIn(sandbox.dataDir.path))
    writeManifest(draft, madeAtMs)
    // A name of its own, so that a start that is copying an older one never gets a part of each.
    await rename(draft, join(home, `${key}-${id}`))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Drafts of processes that were killed, copies that this one replaces, those that are too old, and the oldest. */
async function removeOld(home: string, key: string): Promise<void> {
  const names = namesIn(home)
  const kept = names
    .filter((name) => !name.startsWith(DRAFT) && !name.startsWith(key))
    .filter((name) => ageMsOf(join(home, name)) < USABLE_MS)
    .sort((one, other) => ageMsOf(join(home, one)) - ageMsOf(join(home, other)))
    .slice(0, KEPT - 1)
  for (const name of names) {
    if (kept.includes(name)) continue
    // A draft may be somebody's who is removing it at this moment.
    await discardCopy(join(home, name)).catch((error) => {
      if (!name.startsWith(DRAFT)) throw error
    })
  }
}

const namesIn = (home: string): string[] => readdirSync(home).filter((name) => ownName.test(name))

const newId = (): string => randomBytes(6).toString('hex')

const existingIn = (folder: string): string[] =>
  sandboxFiles.map((name) => join(folder, name)).filter((path) => existsSync(path))

/** A folder that is missing or belongs to another account is as good as an empty one. */
function orNothing<Found>(look: () => Found): Found | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** Endless where that is unknown, or in the future. */
function ageMsOf(copy: string): number {
  const ageMs = Date.now() - (madeAtMsOf(copy) ?? 0)
  return ageMs < 0 ? Number.POSITIVE_INFINITY : ageMs
}

/** Undefined for a folder of another account, and for one in the data directory, which would not be empty then. */
function placeFor(folder: string, { dataDir }: Config): string | undefined {
  const isInside = !/^\.\.(?:\/|$)/.test(relative(resolve(dataDir), resolve(folder)))
  return isInside || (existsSync(folder) && !isOwn(realpathSync(folder))) ? undefined : folder
}

/** Another account could have put anything there, also a link to what is ours. */
export function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}
