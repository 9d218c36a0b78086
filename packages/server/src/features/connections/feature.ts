import type { JobStatus } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { whenHappens } from '../../house/happenings.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { OwnCall } from '../../platform/http/pipeline.ts'
import { createGuardedDownload } from '../../platform/outbound/guarded-download.ts'
import { createHostLanes } from '../../platform/outbound/host-lanes.ts'
import { createA2aAgent } from './a2a/a2a-agent.ts'
import { createA2aClient } from './a2a/a2a-client.ts'
import type { CardSkill } from './a2a/card-skills.ts'
import { createTaskFollowing, type FollowTaskDeps } from './a2a/follow-task.ts'
import { createLooks, type LooksDeps } from './a2a/looks.ts'
import { hurryAsking } from './a2a/task-store.ts'
import { createTrials } from './a2a/trial.ts'
import { createHttpCall } from './call-agent.ts'
import type { CallbackDoor } from './callback-door.ts'
import { type CallbackDeps, createCallbacks } from './callbacks.ts'
import { type BringFile, type BringFilesDeps, createFileBringing } from './dispatching/bring-files.ts'
import { createDelivering, type DeliveringDeps } from './dispatching/delivering.ts'
import { createDispatches, type DispatchDeps } from './dispatching/dispatches.ts'
import { createReplies } from './dispatching/replies.ts'
import { saveFirstProgress } from './liveness/liveness-store.ts'
import { createPing } from './liveness/ping.ts'
import { createProbes, type ProbesDeps } from './liveness/probes.ts'
import { isTestToken, type SampleService } from './message.ts'
import { connectionsRoutes } from './routes.ts'
import { type ConnectionsDeps, createConnectionsService } from './service.ts'
import { type ConnectionRow, findSkills } from './store.ts'
import { connectionsTasks, connectionsTicks } from './tasks.ts'
import { createPatience } from './trials/patience.ts'
import { createTestJobs, type TestJobsDeps } from './trials/test-jobs.ts'
import { createTrialCallbacks, type TrialCallbacksDeps } from './trials/trial-callbacks.ts'
import { removeExpiredTrials } from './trials/trial-store.ts'

interface Viewer {
  ownerId: string
  isAdmin: boolean
}

interface Deps extends Ground {
  agents: Pick<DispatchDeps, 'lockAgent' | 'pauseAfterFailures'> &
    Pick<ProbesDeps, 'saveOnline'> & {
      agentOf: (
        ...args: Parameters<ConnectionsDeps['agentOf']>
      ) => Promise<{ id: string; ownerId: string; name: string } | undefined>
      detailOf(
        wallet: string,
        viewer: Viewer,
      ): Promise<{ detail: { category: string; services: SampleService[] } }>
    }
  jobFiles: CallbackDeps['jobFiles'] &
    Pick<TrialCallbacksDeps, 'weigh'> &
    Pick<BringFilesDeps, 'nameOf'> &
    Pick<DispatchDeps, 'givenByClient'> & { bring: BringFile }
  room: Pick<CallbackDeps, 'reportProgress' | 'sendMessage' | 'newestMessages'> &
    Pick<FollowTaskDeps, 'sendMessage'> &
    Pick<LooksDeps, 'clientMessages'>
  jobs: Pick<DispatchDeps, 'workOf' | 'missDeadline'> &
    Pick<DeliveringDeps, 'deliver'> &
    Pick<TestJobsDeps, 'checkDelivery'> & {
      detailOf(jobId: string, viewer: Viewer): Promise<{ status: JobStatus }>
    }
}

/** Bring your agent: its jobs are sent to it, and what it returns is delivered. */
interface Api {
  /** What a call to a callback is counted for; undefined where its token or its URL is invalid or has expired. */
  jobOf(call: OwnCall): Promise<string | undefined>
  /** What an agent of kind A2A says on its own card that it can do. */
  skillsOf(db: Queryable, wallet: string): Promise<CardSkill[]>
}

export function defineFeature(deps: Deps): Feature<Api> {
  const { config, db, sealers, wallClock, clock, agents, room, jobs } = deps
  const allowsLocal = config.mode === 'sandbox'
  const sealer = sealers.connections
  const hostLanes = createHostLanes()
  const a2a = createA2aAgent({ client: createA2aClient({ allowsLocal, hostLanes }), sealer })
  const callAgent = { HTTP: createHttpCall({ allowsLocal, wallClock, sealer }), A2A: a2a.call }
  const { agentOf, lockAgent, pauseAfterFailures, saveOnline } = agents
  const { workOf, missDeadline } = jobs
  const { givenByClient } = deps.jobFiles
  const { publicUrl, sessionSecret: tokenSecret } = config
  const pingHttp = createPing({ allowsLocal })
  const ping = {
    HTTP: async (connection: ConnectionRow) => ({ isThere: await pingHttp(connection) }),
    A2A: a2a.probe,
  }
  const probes = createProbes({ ...deps, hostLanes: createHostLanes(), ping, lockAgent, saveOnline })
  const { markSeen } = probes
  const reportProgress: typeof room.reportProgress = async (tx, jobId, caller, report) => {
    const progress = await room.reportProgress(tx, jobId, caller, report)
    await saveFirstProgress(tx, jobId, clock.now())
    return progress
  }
  const { checkDelivery } = jobs
  const lookUntil = createPatience(deps.drain.endOfWaits, deps.trialPauseMs)
  const testJob = createTestJobs({
    ...deps,
    callAgent,
    lookUntil,
    markSeen,
    checkDelivery,
    publicUrl,
    tokenSecret,
    rateLimitsEnforced: config.rateLimitsEnforced,
    finishTrial: createTrials(a2a, lookUntil),
    offerOf: async (wallet, ownerId) => (await agents.detailOf(wallet, { ownerId, isAdmin: false })).detail,
  })
  const connections = createConnectionsService({
    ...deps,
    testJob,
    allowsLocal,
    sealer,
    agentOf,
    lockAgent,
    saveOnline,
  })
  const bringFiles = createFileBringing({
    nameOf: deps.jobFiles.nameOf,
    bringFile: deps.jobFiles.bring,
    download: createGuardedDownload({ allowsLocal, userAgent: 'agent-marketplace-files/1.0' }),
    hostLanes,
    allowsLocal,
  })
  const delivering = createDelivering({ ...deps, deliver: jobs.deliver, bringFiles })
  const following = createTaskFollowing({ ...deps, ...room, reportProgress, delivering })
  const dispatches = createDispatches({
    ...deps,
    callAgent,
    hostLanes,
    workOf,
    missDeadline,
    agentOf,
    lockAgent,
    pauseAfterFailures,
    markSeen,
    followReply: createReplies({ ...deps, delivering, followTask: following.follow }),
    givenByClient,
    publicUrl,
    tokenSecret,
  })
  const { look } = createLooks({
    ...deps,
    ...room,
    hostLanes,
    a2a,
    following,
    workOf,
    givenByClient,
    publicUrl,
    tokenSecret,
  })
  const callbacks = createCallbacks({
    ...deps,
    delivering,
    workOf,
    reportProgress,
    sendMessage: room.sendMessage,
    newestMessages: room.newestMessages,
    tokenSecret,
    markSeen,
    statusOf: async (jobId, ownerId) => (await jobs.detailOf(jobId, { ownerId, isAdmin: false })).status,
  })
  const { weigh } = deps.jobFiles
  const trialCallbacks = createTrialCallbacks({ ...deps, markSeen, checkDelivery, weigh })
  const doorFor = (token: string | undefined): CallbackDoor =>
    token !== undefined && isTestToken(token) ? trialCallbacks : callbacks
  return {
    api: {
      jobOf: ({ token, params, query }) =>
        token === undefined ? callbacks.jobOfUrl(params, query) : doorFor(token).jobOfToken(token),
      skillsOf: findSkills,
    },
    routes: connectionsRoutes({ connections, doorFor }),
    happenings: [
      whenHappens('job.workable', dispatches.open),
      whenHappens('refund.failed', dispatches.resume),
      whenHappens('job.clientWrote', (tx, { jobId }) => hurryAsking(tx, jobId, clock.now())),
    ],
    tasks: connectionsTasks({ ...dispatches, look, ...probes }),
    ticks: connectionsTicks({
      ...dispatches,
      ...probes,
      removeExpired: (signal) => removeExpiredTrials(db, clock.now(), signal),
    }),
  }
}
