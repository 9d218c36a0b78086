import type { Child, Children } from '../children.ts'
import { waitFor } from '../wait.ts'
import type { FolderOf, Machine } from './machines.ts'

const START_LIMIT_MS = 30_000

export interface Etcd {
  leader(): Promise<Machine>
  kill(machine: Machine): Promise<void>
  start(machine: Machine): void
  untilWhole(): Promise<void>
}

interface Deps {
  children: Children
  machines: readonly Machine[]
  folderOf: FolderOf
}

/** One etcd on each machine. */
export async function startEtcd({ children, machines, folderOf }: Deps): Promise<Etcd> {
  const members = machines.map((each) => `${each.name}=${peersOf(each)}`).join(',')
  const running = new Map<string, Child>()

  const start = (machine: Machine): void => {
    const folder = folderOf(machine, 'etcd')
    const command = [
      '/usr/bin/etcd',
      `--name=${machine.name}`,
      `--data-dir=${folder}/data`,
      `--listen-client-urls=${clientsOf(machine)}`,
      `--advertise-client-urls=${clientsOf(machine)}`,
      `--listen-peer-urls=${peersOf(machine)}`,
      `--initial-advertise-peer-urls=${peersOf(machine)}`,
      `--initial-cluster=${members}`,
      '--initial-cluster-state=new',
      '--enable-v2',
      '--logger=zap',
      '--log-level=warn',
    ]
    // etcd of this age calls other processors than amd64 unsupported, and starts there only with this setting.
    const environment: Record<string, string> =
      process.arch === 'x64' ? {} : { ETCD_UNSUPPORTED_ARCH: process.arch }
    running.set(machine.name, children.start(`etcd-${machine.name}`, machine.run(command), { environment }))
  }

  const isHealthy = async (machine: Machine): Promise<boolean> => {
    const response = await fetch(`${clientsOf(machine)}/health`, { signal: AbortSignal.timeout(2_000) })
    return ((await response.json()) as { health: string }).health === 'true'
  }
  const untilWhole = async (): Promise<void> => {
    for (const machine of machines)
      await waitFor(`etcd on ${machine.name}`, START_LIMIT_MS, () => isHealthy(machine))
  }

  for (const machine of machines) start(machine)
  await untilWhole()
  return {
    start,
    untilWhole,
    kill: async (machine) => running.get(machine.name)?.end('SIGKILL'),
    leader: () =>
      waitFor('a leader of etcd', START_LIMIT_MS, async () => {
        for (const machine of machines) if (await isLeader(machine).catch(() => false)) return machine
        return undefined
      }),
  }
}

async function isLeader(machine: Machine): Promise<boolean> {
  const response = await fetch(`${clientsOf(machine)}/v3/maintenance/status`, {
    method: 'POST',
    body: '{}',
    signal: AbortSignal.timeout(2_000),
  })
  const { leader, header } = (await response.json()) as { leader: string; header: { member_id: string } }
  return leader === header.member_id
}

export const clientsOf = ({ host, ports }: Machine): string => `http://${host}:${ports.etcd}`
const peersOf = ({ host, ports }: Machine): string => `http://${host}:${ports.etcdPeers}`
