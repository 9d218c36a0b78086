import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../services/services.ts'
import type { Rotation } from './rotation.ts'

/** Longer than any call may take: a payment that waits for the chain is PENDING before this. */
const CALL_LIMIT_MS = 30_000
const PAUSE_MS = 500
/** With the pauses that responses ask for, more than any outage. */
const MOST_ATTEMPTS = 60

export type Api = Pick<Service, 'name' | 'url'>

/** Which connections to an API process may fail: while it restarts in good order those it refuses, while it is killed all. */
export type Tolerance = 'none' | 'refused' | 'broken'

export interface Door {
  /** One attempt, at one of the API processes: another one when this one failed the caller before. */
  send(address: string, path: string, init: RequestInit): Promise<Response>
  /** One attempt, at this process. */
  sendTo(api: Api, address: string, path: string, init: RequestInit): Promise<Response>
  beforeRepeat(failed: Response | undefined, attempts: number): Promise<void>
  tolerate(api: Api, tolerance: Tolerance): void
  /** Responses that a client should never get, and connections that should not have failed. */
  problems: string[]
  counts: { responses: number; unavailable: number; limited: number; broken: number }
}

/**
 * How the clients reach the service, as through a balancer. It watches what they are sent. A process that is out of rotation
 * gets no requests of clients, unless all are, and owes nothing to those that are sent to it all the same.
 */
export function createDoor(
  apis: readonly Api[],
  rotation: Pick<Rotation, 'has'> = { has: () => true },
): Door {
  const turns = new Map<string, number>()
  const tolerances = new Map<string, Tolerance>()
  const problems: string[] = []
  const counts = { responses: 0, unavailable: 0, limited: 0, broken: 0 }

  async function watch(path: string, response: Response): Promise<void> {
    counts.responses += 1
    if (response.status === 429) counts.limited += 1
    if (response.status < 500) return
    if (response.status === 503) counts.unavailable += 1
    const isClean = response.status === 503 && response.headers.get('retry-after') !== null
    if (!isClean) problems.push(`${path} returned ${response.status}: ${await response.clone().text()}`)
  }

  const inRotation = (): readonly Api[] => {
    const ready = apis.filter((api) => rotation.has(api))
    return ready.length > 0 ? ready : apis
  }

  async function sendTo(api: Api, address: string, path: string, init: RequestInit) {
    const { name, url } = api
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', address)
    const startedAtMs = performance.now()
    const toleranceBefore = tolerances.get(name)
    const wasOut = !rotation.has(api)
    try {
      const signal = init.signal ?? AbortSignal.timeout(CALL_LIMIT_MS)
      const response = await whole(await fetch(url + path, { ...init, headers, signal }))
      await watch(path, response)
      return response
    } catch (error) {
      counts.broken += 1
      const tookMs = Math.round(performance.now() - startedAtMs)
      const isTolerated = [toleranceBefore, tolerances.get(name)].some((tolerance) =>
        tolerates(tolerance, error, wasOut),
      )
      if (!isTolerated && !isGivenUp(init.signal))
        problems.push(
          `${init.method ?? 'GET'} ${path} got no response of ${name} within ${tookMs} ms: ${shown(error)}`,
        )
      throw error
    }
  }

  return {
    problems,
    counts,
    sendTo,
    tolerate: (api, tolerance) => void tolerances.set(api.name, tolerance),

    async send(address, path, init) {
      const turn = turns.get(address) ?? 0
      const choice = inRotation()
      try {
        const response = await sendTo(choice[turn % choice.length] as Api, address, path, init)
        if (response.status >= 500) turns.set(address, turn + 1)
        return response
      } catch (error) {
        turns.set(address, turn + 1)
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

/** A body that is cut counts as no response. Streams are for their reader: they last as long as their process. */
async function whole(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
  const body = await response.arrayBuffer()
  const { status, headers } = response
  return new Response(body.byteLength > 0 ? body : null, { status, headers })
}

function tolerates(tolerance: Tolerance | undefined, error: unknown, wasOut: boolean): boolean {
  if (tolerance === 'broken' || (tolerance === 'refused' && wasOut)) return true
  // Refused, or reset before it was made: nothing has been sent.
  return tolerance === 'refused' && causeOf(error)?.syscall === 'connect'
}

/** By its caller, who does not want it any more; one that took too long is a failure. */
const isGivenUp = (signal: AbortSignal | null | undefined): boolean =>
  signal?.aborted === true && signal.reason?.name !== 'TimeoutError'

const causeOf = (error: unknown) =>
  (error as { cause?: { code?: string; message?: string; syscall?: string } }).cause

function shown(error: unknown): string {
  const { code, message } = causeOf(error) ?? {}
  return [error, message, code].filter(Boolean).join(', ')
}
