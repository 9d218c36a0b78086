import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../services/services.ts'

/** Longer than any call may take: a payment that waits for the chain is PENDING before this. */
const CALL_LIMIT_MS = 30_000
const PAUSE_MS = 500
/** With the pauses that responses ask for, more than any outage. */
const MOST_ATTEMPTS = 60

export interface Door {
  /** One attempt, at one of the two API processes: the other one when this one failed the caller before. */
  send(address: string, path: string, init: RequestInit): Promise<Response>
  /** Sees what others were sent. */
  watch(path: string, response: Response): Promise<void>
  beforeRepeat(failed: Response | undefined, attempts: number): Promise<void>
  /** While it is true, connections may break: an API process is killed. */
  setBreaking(isBreaking: boolean): void
  /** Responses that a client should never get. */
  problems: string[]
  counts: { responses: number; unavailable: number; limited: number; broken: number }
}

type Reached = Pick<Service, 'url' | 'name'>

/** How the clients reach the service, as through a balancer. It watches what they are sent. */
export function createDoor(apis: readonly Reached[]): Door {
  const turns = new Map<string, number>()
  const problems: string[] = []
  const counts = { responses: 0, unavailable: 0, limited: 0, broken: 0 }
  let isBreaking = false

  async function watch(path: string, response: Response): Promise<void> {
    counts.responses += 1
    if (response.status === 429) counts.limited += 1
    if (response.status < 500) return
    if (response.status === 503) counts.unavailable += 1
    const isClean = response.status === 503 && response.headers.get('retry-after') !== null
    if (!isClean) problems.push(`${path} returned ${response.status}: ${await response.clone().text()}`)
  }

  return {
    problems,
    counts,
    watch,
    setBreaking(next) {
      isBreaking = next
    },

    async send(address, path, init) {
      const turn = turns.get(address) ?? 0
      const { url, name } = apis[turn % apis.length] as Reached
      const headers = new Headers(init.headers)
      headers.set('x-forwarded-for', address)
      const startedAtMs = performance.now()
      const wasBreaking = isBreaking
      try {
        const signal = init.signal ?? AbortSignal.timeout(CALL_LIMIT_MS)
        const response = await fetch(url + path, { ...init, headers, signal })
        await watch(path, response)
        if (response.status >= 500) turns.set(address, turn + 1)
        return response
      } catch (error) {
        turns.set(address, turn + 1)
        counts.broken += 1
        const tookMs = Math.round(performance.now() - startedAtMs)
        if (!isBreaking && !wasBreaking && !init.signal?.aborted)
          problems.push(`${path} got no response of ${name} within ${tookMs} ms: ${error}`)
        throw error
      }
    },

    async beforeRepeat(failed, attempts) {
      if (attempts > MOST_ATTEMPTS) throw new Error(`gave up after ${attempts} attempts`)
      const seconds = Number(failed?.headers.get('retry-after') ?? 0)
      await delay(Math.max(seconds * 1000, PAUSE_MS))
    },
  }
}
