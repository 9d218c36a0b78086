import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { migrationsDirectory } from '../platform/db/migrate.ts'

const KEY_LENGTH = 20

/** Where the service runs from when it was built. Its modules look for files around them where their sources are. */
const builtProgram = /^(.*\/node_modules\/\.service[^/]*)\/server\/src\/(?:main|prepare)\.mjs$/
const lockfile = join(import.meta.dirname, '../../../../package-lock.json')

/**
 * Stands for everything that decides how a new sandbox looks: the program, the packages it uses with the embedded
 * PostgreSQL among them, the migrations, the settings and the machine. Undefined where the service runs from its sources.
 */
export function keyOf(config: Config): string | undefined {
  const program = builtProgram.exec(realpathSync(process.argv[1] ?? ''))?.[1]
  if (program === undefined) return undefined
  const hash = createHash('sha256')
  for (const folder of [program, migrationsDirectory])
    for (const path of filesOf(folder))
      hash
        .update(path)
        .update('\0')
        .update(readFileSync(join(folder, path)))
  hash.update(readFileSync(lockfile))
  const { platform, arch, versions } = process
  return hash
    .update(JSON.stringify([platform, arch, versions.node, settingsOf(config)]))
    .digest('hex')
    .slice(0, KEY_LENGTH)
}

/** All but where it listens, logs and keeps its data. The public address is on the chain, in the registry of agents. */
function settingsOf(config: Config): string {
  const {
    host: _,
    port: _port,
    dataDir: _dataDir,
    preparedDirectory: _place,
    logLevel: _level,
    ...rest
  } = config
  return JSON.stringify(rest, (_name, value) => {
    if (value instanceof Set) return [...value]
    return typeof value === 'bigint' ? String(value) : value
  })
}

const filesOf = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
