import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster/cluster.ts'
import type { Machine } from './cluster/machines.ts'
import type { Redis } from './services/redis.ts'
import type { Service } from './services/services.ts'
import type { Door, Tolerance } from './traffic/door.ts'
import type { Probe } from './traffic/probe.ts'
import { waitFor } from './wait.ts'

/** Until writes are acknowledged again. */
const OUTAGE_LIMIT_MS = 120_000
/** For so long the standbys get nothing before their primary is lost. */
const STALL_MS = 1_000
const REDIS_DOWN_MS = 10_000

export const faultNames = [
  'PostgreSQL killed',
  'machine of the primary lost',
  'standbys stalled, then machine lost',
  'primary cut off',
  'etcd leader lost',
  'API process killed',
  'worker killed',
  'Redis down and back',
  'everything restarted in turn',
] as const
export type FaultName = (typeof faultNames)[number]

/** Those after which another PostgreSQL is the primary. */
export const failovers: readonly FaultName[] = faultNames.slice(0, 4)

export interface Struck {
  name: FaultName
  outageMs: number
  slowestFailureMs: number
}

interface Deps {
  cluster: Cluster
  redis: Redis
  apis: readonly Service[]
  workers: readonly Service[]
  door: Door
  probe: Probe
}

export type Strike = (name: FaultName, count: number) => Promise<Struck>

/** Does one of the faults, waits until all is well again, and returns for how long nothing could be written. */
export function createFaults({ cluster, redis, apis, workers, door, probe }: Deps): Strike {
  const { postgres, etcd, machines, proxy } = cluster

  const untilWritten = (sinceMs: number) =>
    waitFor('writes to be acknowledged', OUTAGE_LIMIT_MS, async () => probe.hasWrittenSince(sinceMs))
  const untilOther = (former: Machine) =>
    waitFor('another primary', OUTAGE_LIMIT_MS, async () => (await postgres.primary()) !== former)

  const loseMachine = async (): Promise<void> => {
    const former = await postgres.primary()
    await postgres.killMachine(former)
    await untilOther(former)
    await untilWritten(performance.now())
    postgres.start(former)
  }
  const tolerating = async (api: Service, tolerance: Tolerance, work: () => Promise<void>): Promise<void> => {
    door.tolerate(api, tolerance)
    try {
      await work()
    } finally {
      door.tolerate(api, 'none')
    }
  }

  const faults: Record<FaultName, (count: number) => Promise<void>> = {
    async 'PostgreSQL killed'() {
      const former = await postgres.primary()
      postgres.killServer(former)
      await untilOther(former)
    },
    'machine of the primary lost': loseMachine,
    async 'standbys stalled, then machine lost'() {
      postgres.stall(await postgres.primary(), 'walsender')
      await delay(STALL_MS)
      await loseMachine()
    },
    async 'primary cut off'() {
      const former = await postgres.primary()
      const { cut, join } = machines
      if (cut) cut(former)
      else postgres.freeze(former)
      await untilOther(former)
      await untilWritten(performance.now())
      if (join) join(former)
      else postgres.thaw(former)
    },
    async 'etcd leader lost'() {
      const leader = await etcd.leader()
      await etcd.kill(leader)
      await etcd.leader()
      await untilWritten(performance.now())
      etcd.start(leader)
      await etcd.untilWhole()
    },
    async 'API process killed'(count) {
      const api = apis[count % apis.length] as Service
      await tolerating(api, 'broken', async () => {
        await api.kill()
        await api.untilReady()
      })
    },
    async 'worker killed'(count) {
      const worker = workers[count % workers.length]
      await worker?.kill()
      await worker?.untilReady()
    },
    async 'Redis down and back'() {
      await redis.kill()
      await delay(REDIS_DOWN_MS)
      redis.start()
    },
    async 'everything restarted in turn'() {
      for (const api of apis) await tolerating(api, 'refused', api.restart)
      for (const worker of workers) await worker.restart()
      for (const machine of machines.all) {
        await etcd.kill(machine)
        etcd.start(machine)
        await etcd.untilWhole()
        await postgres.stop(machine)
        postgres.start(machine)
        await postgres.untilWhole()
      }
      await proxy.restart()
      await redis.kill()
      redis.start()
    },
  }

  return async (name, count) => {
    const startMs = performance.now()
    await faults[name](count)
    await untilWritten(performance.now())
    await postgres.untilWhole()
    for (const service of [...apis, ...workers]) await service.untilReady()
    return { name, ...probe.since(startMs) }
  }
}
