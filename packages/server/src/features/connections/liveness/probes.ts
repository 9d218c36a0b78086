import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { HostLanes } from '../../../platform/outbound/host-lanes.ts'
import type { NewJob, Queue } from '../../../platform/queue/queue.ts'
import type { CardSkill } from '../a2a/card-skills.ts'
import { type ConnectionRow, findConnection } from '../store.ts'
import { claimProbe, isUnmarked, listDueProbes, saveProbe } from './liveness-store.ts'
import { probeDelayAfter } from './rules.ts'

export const PROBE_TASK = 'agent-probe'

const HOST_BUSY_SECONDS = 10
/** Longer than a probe takes. */
const CLAIM_SECONDS = 90
const BATCH = 500
const DUE_PER_SELLER = 20

/** What a probe found. */
export interface Found {
  isThere: boolean
  /** Where the agent says what it can do. */
  skills?: CardSkill[]
}

export interface ProbesDeps {
  db: Database
  clock: Clock
  queue: Pick<Queue, 'enqueueAll'>
  /** Of its own, so that no job waits for a probe. */
  hostLanes: HostLanes
  ping: Record<ConnectionRow['kind'], (connection: ConnectionRow) => Promise<Found>>
  lockAgent: (tx: Queryable, agentId: string) => Promise<unknown>
  saveOnline: (tx: Transaction, agentId: string, online: boolean | null) => Promise<void>
}

/** Finds out which connected agents are online. It changes what is shown of an agent, and nothing else. */
export function createProbes(deps: ProbesDeps) {
  const { db, clock, queue, hostLanes, ping, lockAgent, saveOnline } = deps

  async function save(
    { agentId, url }: ConnectionRow,
    failedProbes: number,
    skills: CardSkill[] | undefined,
  ): Promise<void> {
    const at = clock.now()
    const nextProbeAt = addSeconds(at, probeDelayAfter(failedProbes))
    await db.transaction(async (tx) => {
      await lockAgent(tx, agentId)
      if (await saveProbe(tx, agentId, { url, failedProbes, skills, at, nextProbeAt }))
        await saveOnline(tx, agentId, failedProbes === 0)
    })
  }

  return {
    async queueDue(): Promise<void> {
      const due = await listDueProbes(db, clock.now(), { perSeller: DUE_PER_SELLER, limit: BATCH })
      const jobs = due.map(
        ({ agentId, sellerId }): NewJob => ({
          payload: { agentId },
          group: sellerId,
          singletonKey: agentId,
        }),
      )
      await queue.enqueueAll(db, PROBE_TASK, jobs)
    },

    /** A crowded host is left alone until later. */
    async probe({ agentId }: { agentId: string }): Promise<void> {
      const connection = await findConnection(db, agentId)
      if (!connection) return
      const leave = hostLanes.enter(connection.url, connection.sellerId)
      const now = clock.now()
      const until = addSeconds(now, leave ? CLAIM_SECONDS : HOST_BUSY_SECONDS)
      try {
        const claimed = await claimProbe(db, agentId, { now, until })
        if (!claimed || !leave) return
        const { isThere, skills } = await ping[connection.kind](connection)
        await save(connection, isThere ? 0 : claimed.failedProbes + 1, skills)
      } finally {
        leave?.()
      }
    },

    /** After a successful call to the agent, or one of its own: it is online. */
    async markSeen(agentId: string): Promise<void> {
      if (!(await isUnmarked(db, agentId))) return
      await db.transaction(async (tx) => {
        await lockAgent(tx, agentId)
        if (await isUnmarked(tx, agentId)) await saveOnline(tx, agentId, true)
      })
    },
  }
}

export type Probes = ReturnType<typeof createProbes>
