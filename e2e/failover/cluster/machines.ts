import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../service/service-process.ts'
import { killAll } from '../children.ts'

export interface Machine {
  name: string
  /** Where the others reach it. */
  host: string
  ports: { etcd: number; etcdPeers: number; postgres: number; patroni: number }
  /** The command that runs another on this machine, as an account that PostgreSQL accepts. */
  run(command: readonly string[]): string[]
}

export interface Machines {
  all: readonly Machine[]
  /** Cuts the machine off, where it has a network of its own. */
  cut?: (machine: Machine) => void
  join?: (machine: Machine) => void
  remove(): void
}

/** The folder of a part of a machine, which it makes. */
export type FolderOf = (machine: Machine, part: string) => string

export const isRoot = process.getuid?.() === 0
/** Whose processes they are when root runs this, which PostgreSQL refuses: the account of Debian's package. */
const ACCOUNT = 'postgres'
const COUNT = 3

/** Three machines: network namespaces on a bridge for root, else three sets of ports on this one. */
export async function createMachines(): Promise<Machines> {
  return isRoot ? createNamespaces() : createPorts()
}

async function createPorts(): Promise<Machines> {
  const all = await Promise.all(
    names().map(async (name) => ({
      name,
      host: '127.0.0.1',
      ports: {
        etcd: await freePort(),
        etcdPeers: await freePort(),
        postgres: await freePort(),
        patroni: await freePort(),
      },
      run: (command: readonly string[]) => [...command],
    })),
  )
  return { all, remove: () => undefined }
}

/** Their names and addresses are of this run alone, so that two runs do not meet. */
function createNamespaces(): Machines {
  const tag = tagOf(process.pid)
  const network = `10.${200 + (process.pid % 50)}.${process.pid % 250}`
  const linkOf = ({ name }: Pick<Machine, 'name'>) => `${tag}${name}`
  const all = names().map(
    (name, index): Machine => ({
      name,
      host: `${network}.${index + 2}`,
      ports: { etcd: 2379, etcdPeers: 2380, postgres: 5432, patroni: 8008 },
      run: (command) => [
        'ip',
        'netns',
        'exec',
        linkOf({ name }),
        'setpriv',
        `--reuid=${ACCOUNT}`,
        `--regid=${ACCOUNT}`,
        '--clear-groups',
        ...command,
      ],
    }),
  )
  const remove = () => removeNamespaces(process.pid)
  try {
    ip(['link', 'add', `${tag}br`, 'type', 'bridge'])
    ip(['addr', 'add', `${network}.1/24`, 'dev', `${tag}br`])
    ip(['link', 'set', `${tag}br`, 'up'])
    for (const machine of all) {
      const link = linkOf(machine)
      ip(['netns', 'add', link])
      ip(['link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', link])
      ip(['link', 'set', link, 'master', `${tag}br`, 'up'])
      ip(['-n', link, 'addr', 'add', `${machine.host}/24`, 'dev', 'eth0'])
      ip(['-n', link, 'link', 'set', 'eth0', 'up'])
      ip(['-n', link, 'link', 'set', 'lo', 'up'])
    }
  } catch (error) {
    remove()
    throw error
  }
  return {
    all,
    cut: (machine) => ip(['link', 'set', linkOf(machine), 'down']),
    join: (machine) => ip(['link', 'set', linkOf(machine), 'up']),
    remove,
  }
}

export function createFolders(directory: string): FolderOf {
  const owner = findOwner()
  return (machine, part) => createFolder(join(directory, machine.name, part), owner)
}

/** Makes a folder that the account of the machines may write to. */
export function createFolder(path: string, owner = findOwner()): string {
  mkdirSync(path, { recursive: true, mode: 0o711 })
  if (owner) chownSync(path, owner.uid, owner.gid)
  return path
}

const findOwner = () => (isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : undefined)

const idOf = (option: '-u' | '-g'): number =>
  Number(execFileSync('id', [option, ACCOUNT], { encoding: 'utf8' }))

/** Interfaces have names of at most 15 letters. */
const tagOf = (pid: number): string => `mf${pid}`

/** Of the run with this process id, with all that is left in them. */
export function removeNamespaces(pid: number): void {
  if (!isRoot) return
  for (const name of names()) {
    const link = `${tagOf(pid)}${name}`
    killAll(processesIn(link))
    ip(['link', 'del', link], 'quietly')
    ip(['netns', 'del', link], 'quietly')
  }
  ip(['link', 'del', `${tagOf(pid)}br`], 'quietly')
}

const names = () => Array.from({ length: COUNT }, (_, index) => `n${index + 1}`)

/** What still runs in a namespace, also where its parent is gone. */
function processesIn(namespace: string): number[] {
  try {
    return execFileSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8', stdio: 'pipe' })
      .split('\n')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

function ip(args: readonly string[], isQuiet?: 'quietly'): void {
  try {
    execFileSync('ip', args, { stdio: ['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit'] })
  } catch (error) {
    if (!isQuiet) throw error
  }
}
