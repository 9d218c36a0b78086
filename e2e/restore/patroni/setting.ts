import { join } from 'node:path'
import { type Cluster, startCluster } from '../../failover/cluster/cluster.ts'
import { createFolder } from '../../failover/cluster/machines.ts'
import type { Run } from '../../failover/run-directory.ts'
import { type Outside, productionSettings, startOutside } from '../../failover/services/outside.ts'
import { type Service, startService } from '../../failover/services/services.ts'
import { createDoor, type Door } from '../../failover/traffic/door.ts'
import { createPair, type Pair } from '../../failover/traffic/people.ts'

export interface Setting {
  cluster: Cluster
  archive: string
  outside: Outside
  /** Of the service. */
  environment: Record<string, string>
  start(): Promise<void>
  stop(): Promise<void>
  door: Door
  pair: Pair
}

/** The cluster, which archives its log, and one process of the service, with a buyer and a seller. */
export async function startSetting({ children, directory, onClose }: Run): Promise<Setting> {
  const archive = createFolder(join(directory, 'archive'))
  console.log('Starting three machines with etcd, Patroni and PostgreSQL')
  const cluster = await startCluster({ children, directory, isSynchronous: true, archive, onOpened: onClose })
  console.log('Starting the chain and the service')
  const outside = await startOutside(children, directory)
  onClose(outside.close)
  const environment = { ...productionSettings(outside), DATABASE_URL: cluster.databaseUrl }
  const running: Service[] = []
  const start = async (): Promise<void> => {
    const service = await startService('service', 'all', { children, directory, environment })
    onClose(service.stop)
    await service.untilReady()
    running.splice(0, 1, service)
  }
  await start()
  const door = createDoor(running)
  const pair = await createPair({ door, outside, number: 0 })
  return { cluster, archive, outside, environment, start, stop: async () => running[0]?.stop(), door, pair }
}
