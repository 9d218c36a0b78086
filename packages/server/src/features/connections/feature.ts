import type { JobStatus } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { whenHappens } from '../../house/happenings.ts'
import { createHttpCall } from './call-agent.ts'
import { type CallbackDeps, createCallbacks } from './callbacks.ts'
import { createDispatches, type DispatchDeps } from './dispatching/dispatches.ts'
import type { SampleService } from './message.ts'
import { connectionsRoutes, type FileDoor } from './routes.ts'
import { type ConnectionsDeps, createConnectionsService } from './service.ts'
import { connectionsTasks, connectionsTicks } from './tasks.ts'

interface Viewer {
  ownerId: string
  isAdmin: boolean
}

interface Deps extends Ground {
  agents: Pick<DispatchDeps, 'lockAgent' | 'pauseAfterFailures'> & {
    agentOf: (
      ...args: Parameters<ConnectionsDeps['agentOf']>
    ) => Promise<{ id: string; ownerId: string; name: string } | undefined>
    detailOf(
      wallet: string,
      viewer: Viewer,
    ): Promise<{ detail: { category: string; services: SampleService[] } }>
  }
  jobFiles: FileDoor
  room: Pick<CallbackDeps, 'reportProgress'>
  jobs: Pick<DispatchDeps, 'workOf' | 'deliver'> &
    Pick<ConnectionsDeps, 'checkDelivery'> & {
      detailOf(jobId: string, viewer: Viewer): Promise<{ status: JobStatus }>
    }
}

/** Bring your agent: its jobs are sent to it, and what it returns is delivered. */
export function defineFeature(deps: Deps): Feature<undefined> {
  const { config, sealers, wallClock, agents, room, jobs } = deps
  const allowsLocal = config.mode === 'sandbox'
  const callAgent = { HTTP: createHttpCall({ allowsLocal, wallClock, sealer: sealers.connections }) }
  const connections = createConnectionsService({
    ...deps,
    callAgent,
    allowsLocal,
    sealer: sealers.connections,
    rateLimitsEnforced: config.rateLimitsEnforced,
    agentOf: agents.agentOf,
    checkDelivery: jobs.checkDelivery,
    offerOf: async (wallet, ownerId) => (await agents.detailOf(wallet, { ownerId, isAdmin: false })).detail,
  })
  const { workOf } = jobs
  const dispatches = createDispatches({
    ...deps,
    callAgent,
    workOf,
    deliver: jobs.deliver,
    publicUrl: config.publicUrl,
    tokenSecret: config.sessionSecret,
    agentOf: agents.agentOf,
    lockAgent: agents.lockAgent,
    pauseAfterFailures: agents.pauseAfterFailures,
  })
  const callbacks = createCallbacks({
    ...deps,
    dispatches,
    workOf,
    reportProgress: room.reportProgress,
    statusOf: async (jobId, ownerId) => (await jobs.detailOf(jobId, { ownerId, isAdmin: false })).status,
  })
  return {
    api: undefined,
    routes: connectionsRoutes({ connections, callbacks, jobFiles: deps.jobFiles }),
    happenings: [whenHappens('job.workable', dispatches.open)],
    tasks: connectionsTasks(dispatches),
    ticks: connectionsTicks(dispatches),
  }
}
