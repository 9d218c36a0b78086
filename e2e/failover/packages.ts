import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isRoot } from './cluster/machines.ts'

/** What a run needs, and the packages of Debian that bring it. */
export type Programs = Record<string, readonly string[]>

/** Of the cluster, without the service. */
export const clusterPrograms: Programs = {
  '/usr/bin/patroni': ['patroni', 'python3-etcd'],
  '/usr/bin/etcd': ['etcd-server'],
  '/usr/sbin/haproxy': ['haproxy'],
  '/usr/lib/postgresql': ['postgresql'],
  '/usr/bin/setpriv': ['util-linux'],
  '/usr/sbin/ip': ['iproute2'],
}
export const failoverPrograms: Programs = {
  ...clusterPrograms,
  '/usr/bin/redis-server': ['redis-server'],
}
const INSTALL_LIMIT_MS = 10 * 60_000
const POLICY = '/usr/sbin/policy-rc.d'

/** Installs what is missing; throws with one clear line where that is not possible. */
export function installPackages(command: string, programs: Programs): void {
  const missing = Object.entries(programs).filter(([path]) => !existsSync(path))
  if (missing.length === 0) return
  const packages = missing.flatMap(([, names]) => names)
  const advice = `${command} needs ${missing.map(([path]) => path).join(', ')}: apt-get install ${packages.join(' ')}`
  if (!isRoot || !isExecutable('/usr/bin/apt-get')) throw new Error(advice)
  console.log(`Installing ${packages.join(' ')} from Debian`)
  const allowStart = forbidStart()
  try {
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
      const { status } = spawnSync('apt-get', args, {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        stdio: ['ignore', 'ignore', 'inherit'],
        timeout: INSTALL_LIMIT_MS,
      })
      if (status !== 0 && args[0] === 'install') throw new Error(`apt-get failed. ${advice}`)
    }
  } finally {
    allowStart()
  }
}

/** Debian starts a service when its package is installed. Not now: this run starts its own, on ports of its own. */
function forbidStart(): () => void {
  const kept = `${POLICY}.kept`
  const isThere = existsSync(POLICY)
  if (isThere) renameSync(POLICY, kept)
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n')
  chmodSync(POLICY, 0o755)
  return () => (isThere ? renameSync(kept, POLICY) : rmSync(POLICY))
}

/** Of the newest PostgreSQL that is installed. */
export function postgresPrograms(): string {
  const versions = readdirSync('/usr/lib/postgresql').map(Number).filter(Boolean)
  const [newest] = versions.toSorted((a, b) => b - a)
  const directory = `/usr/lib/postgresql/${newest}/bin`
  if (!existsSync(`${directory}/initdb`)) throw new Error(`${directory}/initdb is missing`)
  return directory
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
