import { jobPageOf } from '@agent-marketplace/contract'
import { leaveRoom } from '../../platform/http/limits/room.ts'

/** Calls that wait for a delivery, in this process. */
export interface WaitingDeps {
  /** Calls back whenever the owner may have news about the page, until the function that it returns is called. */
  watch: (page: { ownerId: string; link: string }, wake: () => void) => () => void
  /** Once it is aborted nobody waits any more. */
  endOfWaits: AbortSignal
  maxWaiting?: number
  maxPerJob?: number
  maxPerOwner?: number
}

export interface Wait<Value> {
  jobId: string
  /** Calls with the same reader share what they read of a job. */
  reader?: string
  /** Whose job it is. */
  ownerId: string
  seconds: number
  /** Fires when the caller has gone away. */
  gone: AbortSignal
  read: () => Promise<Value>
  isOver: (value: Value) => boolean
}

/** Beyond this many, calls return at once what there is. */
const MAX_WAITING = 2_000
const MAX_PER_JOB = 20

/**
 * Holds calls until what they wait for is there, their time is over, their caller has gone or the service stops. A call
 * that waits holds a timer and nothing else: it looks again when its owner is notified of its job, and all that wait for one
 * job look together.
 */
export function createWaiting({
  watch,
  endOfWaits,
  maxWaiting = MAX_WAITING,
  maxPerJob = MAX_PER_JOB,
  maxPerOwner = maxWaiting,
}: WaitingDeps) {
  const waiting = new Set<() => void>()
  const perJob = new Map<string, number>()
  const perOwner = new Map<string, number>()
  const looks = new Map<string, Promise<unknown>>()
  endOfWaits.addEventListener(
    'abort',
    () => {
      for (const stop of waiting) stop()
    },
    { once: true },
  )

  const count = (counts: Map<string, number>, id: string, by: 1 | -1): void => {
    const now = (counts.get(id) ?? 0) + by
    if (now === 0) counts.delete(id)
    else counts.set(id, now)
  }

  /** One look for all who wait for the same job. Those who come while it is under way look after it, once for all. */
  function lookTogether<Value>(readJob: string, read: () => Promise<Value>): Promise<Value> {
    const next = looks.get(readJob)
    if (next) return next as Promise<Value>
    const look = Promise.resolve().then(() => {
      looks.delete(readJob)
      return read()
    })
    looks.set(readJob, look)
    return look
  }

  return {
    size: () => waiting.size,

    async until<Value>(wait: Wait<Value>): Promise<Value> {
      const { jobId, reader = '', ownerId, seconds, gone, read, isOver } = wait
      const readJob = `${reader}:${jobId}`
      const hasRoom =
        waiting.size < maxWaiting &&
        (perJob.get(readJob) ?? 0) < maxPerJob &&
        (perOwner.get(ownerId) ?? 0) < maxPerOwner
      const isTaken = seconds > 0 && !endOfWaits.aborted && hasRoom && !gone.aborted
      if (!isTaken) return read()
      let change = Promise.withResolvers<void>()
      const end = Promise.withResolvers<'ended'>()
      const stop = () => end.resolve('ended')
      const unwatch = watch({ ownerId, link: jobPageOf(jobId) }, () => change.resolve())
      const timer = setTimeout(stop, seconds * 1000)
      gone.addEventListener('abort', stop, { once: true })
      waiting.add(stop)
      count(perJob, readJob, 1)
      count(perOwner, ownerId, 1)
      try {
        for (;;) {
          // Asked for before looking: what comes in between is seen at once.
          change = Promise.withResolvers()
          const value = await lookTogether(readJob, read)
          if (isOver(value)) return value
          leaveRoom()
          if ((await Promise.race([change.promise, end.promise])) === 'ended') return await read()
        }
      } finally {
        waiting.delete(stop)
        count(perJob, readJob, -1)
        count(perOwner, ownerId, -1)
        gone.removeEventListener('abort', stop)
        clearTimeout(timer)
        unwatch()
      }
    },
  }
}

export type Waiting = ReturnType<typeof createWaiting>
