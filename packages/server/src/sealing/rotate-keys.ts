import { sessionSecretsOf } from '../adapters.ts'
import type { Config } from '../config/config.ts'
import { type Closer, openData } from '../data.ts'
import { openDatabases } from '../databases.ts'
import { sealPlainDetails } from '../features/owners/sealed-details.ts'
import { createDatabase, type Database } from '../platform/db/database.ts'
import { migrate, migrationsDirectory } from '../platform/db/migrate.ts'
import type { Log } from '../platform/log/log.ts'
import { reseal } from '../platform/sealing/reseal.ts'
import { beginRotation, finishRotation, type SandboxSecrets } from '../sandbox-secrets.ts'
import { createSealers, listSealed } from './sealers.ts'

const POOL_SIZE = 2

interface RotateOptions {
  log: Log
  closers: Closer[]
  say: (line: string) => void
}

/**
 * Seals everything with the current keys. A sandbox makes new ones first, and forgets the old ones when nothing needs
 * them any more; production is given both by its settings. Stopped in between, it is carried on by the next run, and a
 * service that starts meanwhile opens either. Returns whether everything is sealed with the current keys.
 */
export async function rotateKeys(config: Config, options: RotateOptions): Promise<boolean> {
  if (config.mode === 'sandbox') return rotateSandbox(config, options)
  const db = await openConfigured(config, options)
  const unreadable = await sealAgain(db, { secrets: config, sandbox: undefined, say: options.say })
  options.say(verdictOf(config, unreadable))
  return unreadable === 0
}

function verdictOf({ previousSessionSecret }: Config, unreadable: number): string {
  if (previousSessionSecret === undefined)
    return 'SESSION_SECRET_PREVIOUS is not set: what another secret sealed cannot be opened.'
  if (unreadable === 0) return 'Done. Take SESSION_SECRET_PREVIOUS out of the settings and restart.'
  return `Not finished: neither SESSION_SECRET nor SESSION_SECRET_PREVIOUS opens ${unreadable} of the seals. If SESSION_SECRET_PREVIOUS is not the secret that made them, set the right one and run this again. Do not discard any former secret before.`
}

async function rotateSandbox(config: Config, { log, closers, say }: RotateOptions): Promise<boolean> {
  const data = await openData(config, log, closers)
  const { dataDir } = data
  const sandbox = beginRotation(dataDir.path)
  const { db } = await openDatabases(config, data, log, closers)
  const unreadable = await sealAgain(db, { secrets: sessionSecretsOf(config, sandbox), sandbox, say })
  finishRotation(dataDir.path)
  say('Done. The old keys are gone, and everyone signs in again.')
  return unreadable === 0
}

/** Beside the processes that run: they hold their data directories, which are not needed here. */
async function openConfigured(
  { databaseUrl = '' }: Config,
  { log, closers }: RotateOptions,
): Promise<Database> {
  const connection = { connectionString: databaseUrl }
  await migrate({ connection, directory: migrationsDirectory, log })
  const db = createDatabase({ connection, poolSize: POOL_SIZE, log })
  closers.push(() => db.close())
  return db
}

/** Returns how many seals no known key opens. */
async function sealAgain(
  db: Database,
  {
    secrets,
    sandbox,
    say,
  }: {
    secrets: Parameters<typeof createSealers>[0]
    sandbox: SandboxSecrets | undefined
    say: (line: string) => void
  },
): Promise<number> {
  let unreadableInAll = 0
  const sealed = await sealPlainDetails(db, createSealers(secrets).personalData)
  if (sealed > 0) say(`owners’ details that were in plain: ${sealed} sealed`)
  for (const { what, sealer, rows } of listSealed(db, secrets, sandbox)) {
    const { resealed, unreadable } = await reseal(sealer, rows)
    const left = unreadable > 0 ? `, ${unreadable} that no known key opens left as they are` : ''
    say(`${what}: ${resealed} sealed again${left}`)
    unreadableInAll += unreadable
  }
  return unreadableInAll
}
