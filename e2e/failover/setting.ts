import { freePort } from '../service/service-process.ts'
import { type Cluster, startCluster } from './cluster/cluster.ts'
import type { Plan } from './plan.ts'
import type { Run } from './run-directory.ts'
import { type Outside, productionSettings, startOutside } from './services/outside.ts'
import { type Redis, startRedis } from './services/redis.ts'
import { type Service, startService } from './services/services.ts'
import { createDoor, type Door } from './traffic/door.ts'
import { watchRotation } from './traffic/rotation.ts'

export interface Setting {
  cluster: Cluster
  redis: Redis
  apis: readonly Service[]
  workers: readonly Service[]
  outside: Outside
  door: Door
  /** Of every process of the service. */
  environment: Record<string, string>
}

/** Starts all of it: the cluster, Redis, what is outside, two API processes and two workers. */
export async function startSetting(run: Run, { isSynchronous }: Plan): Promise<Setting> {
  const { children, directory, onClose } = run
  console.log('Starting three machines with etcd, Patroni and PostgreSQL')
  const cluster = await startCluster({ children, directory, isSynchronous, onOpened: onClose })
  const redis = startRedis(children, directory, await freePort())
  console.log('Starting the chain, two API processes and two workers')
  const outside = await startOutside(children, directory)
  onClose(outside.close)
  const environment = {
    ...productionSettings(outside),
    DATABASE_URL: cluster.databaseUrl,
    REDIS_URL: redis.url,
  }
  const ofApis = { ...environment, DATABASE_REPLICA_URLS: cluster.memberUrls.join(',') }
  const started: Service[] = []
  for (const [name, role] of [
    ['api-1', 'api'],
    ['api-2', 'api'],
    ['worker-1', 'worker'],
    ['worker-2', 'worker'],
  ] as const) {
    const deps = { children, directory, environment: role === 'api' ? ofApis : environment }
    const service = await startService(name, role, deps)
    started.push(service)
    onClose(service.stop)
    await service.untilReady()
  }
  const apis = started.slice(0, 2)
  const rotation = watchRotation(apis)
  onClose(async () => rotation.stop())
  const door = createDoor(apis, rotation)
  return { cluster, redis, apis, workers: started.slice(2), outside, door, environment }
}
