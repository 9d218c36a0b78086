import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, type Children, descendantsOf, killAll, signal, titleOf } from '../children.ts'
import { readJson, waitFor } from '../wait.ts'
import type { FolderOf, Machine } from './machines.ts'
import { patroniSettings } from './patroni-settings.ts'

const BOOTSTRAP_LIMIT_MS = 120_000
/** Until a node that came back follows again; it may have to be copied again. */
const WHOLE_LIMIT_MS = 180_000

/** What a primary says of a standby that follows it. */
interface Follower {
  state: string
  sync_state: string
}

interface Files {
  /** Where its socket is, too. */
  folder: string
  /** The settings of its Patroni. */
  settings: string
  data: string
}

export interface Postgres {
  filesOf(machine: Machine): Files
  /** The machine of the primary that Patroni names, which accepts writes. */
  primary(): Promise<Machine>
  /** Everything of PostgreSQL on this machine. */
  processesOf(machine: Machine): number[]
  /** With Patroni, as a machine that is lost. */
  killMachine(machine: Machine): Promise<void>
  /** Without Patroni, which then finds out by itself. */
  killServer(machine: Machine): void
  /** Stops sending the log to the standbys, or archiving it. */
  stall(machine: Machine, part: 'walsender' | 'archiver'): void
  freeze(machine: Machine): void
  thaw(machine: Machine): void
  start(machine: Machine): void
  /** Ends Patroni and its PostgreSQL in good order. */
  stop(machine: Machine): Promise<void>
  /** Both standbys follow the primary, and it waits for one of them. */
  untilWhole(): Promise<void>
}

interface Deps {
  children: Children
  machines: readonly Machine[]
  folderOf: FolderOf
  binDirectory: string
  password: string
  isSynchronous: boolean
  archive?: string
  onStarted: (processesOf: (machine: Machine) => number[]) => void
}

export async function startPostgres(deps: Deps): Promise<Postgres> {
  const { children, machines, folderOf, isSynchronous } = deps
  const running = new Map<string, Child>()

  const filesOf = (machine: Machine): Files => {
    const folder = folderOf(machine, 'postgres')
    return { folder, settings: join(folder, 'patroni.json'), data: join(folder, 'data') }
  }
  const start = (machine: Machine): void => {
    const { folder, settings } = filesOf(machine)
    // Open to the account of PostgreSQL; the passwords in it are of this run alone.
    writeFileSync(settings, patroniSettings({ ...deps, machine, folder }))
    const command = machine.run(['/usr/bin/patroni', settings])
    running.set(machine.name, children.start(`patroni-${machine.name}`, command))
  }

  const processesOf = (machine: Machine): number[] => {
    const pid = postmasterOf(filesOf(machine).data)
    return pid === undefined ? [] : [pid, ...descendantsOf(pid)]
  }
  const patroniOf = (machine: Machine): number[] => {
    const pid = running.get(machine.name)?.process.pid
    return pid === undefined ? [] : [pid]
  }

  const primary = () =>
    waitFor('a primary', BOOTSTRAP_LIMIT_MS, async () => {
      for (const machine of machines) if (await isPrimary(machine)) return machine
      return undefined
    })
  // As the primary sees it: Patroni's own list shows a node as running while it still has to be rewound.
  const untilWhole = () =>
    waitFor('a whole cluster', WHOLE_LIMIT_MS, async () => {
      const { host, ports } = await primary()
      const status = await readJson<{ replication?: Follower[] }>(`http://${host}:${ports.patroni}/patroni`)
      const followers = status.replication?.filter(({ state }) => state === 'streaming') ?? []
      const isSafe = followers.some(({ sync_state }) => sync_state === 'sync')
      return followers.length === machines.length - 1 && (isSafe || !isSynchronous)
    }).then(() => undefined)

  deps.onStarted(processesOf)
  for (const machine of machines) start(machine)
  await primary()
  await untilWhole()
  return {
    filesOf,
    primary,
    untilWhole,
    processesOf,
    start,
    async killMachine(machine) {
      const pids = processesOf(machine)
      killAll([...patroniOf(machine), ...pids])
      await running.get(machine.name)?.exited
    },
    killServer: (machine) => killAll(processesOf(machine)),
    stall(machine, part) {
      for (const pid of processesOf(machine)) if (titleOf(pid).includes(part)) signal(pid, 'SIGSTOP')
    },
    freeze(machine) {
      for (const pid of [...patroniOf(machine), ...processesOf(machine)]) signal(pid, 'SIGSTOP')
    },
    thaw(machine) {
      for (const pid of [...processesOf(machine), ...patroniOf(machine)]) signal(pid, 'SIGCONT')
    },
    stop: async (machine) => running.get(machine.name)?.end('SIGTERM'),
  }
}

async function isPrimary({ host, ports }: Machine): Promise<boolean> {
  const response = await fetch(`http://${host}:${ports.patroni}/primary`, {
    signal: AbortSignal.timeout(1_000),
  }).catch(() => undefined)
  await response?.arrayBuffer().catch(() => undefined)
  return response?.status === 200
}

function postmasterOf(data: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    // The file outlives a server that was killed, and its number may be another process by now.
    return titleOf(pid).includes('postgres') ? pid : undefined
  } catch {
    return undefined
  }
}
