import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../../platform/log/log.ts'

/** A part that has not responded by then counts as down. */
const TIME_LIMIT_MS = 2_000

/** Checks whether one part can do its work; any failure means that it cannot. */
export type HealthCheck = () => Promise<unknown>

export interface HealthDeps {
  /** By name: the database, its migrations, the queue, the chain. */
  parts: Readonly<Record<string, HealthCheck>>
  log: Log
  isStopping: () => boolean
}

export interface PartHealth {
  status: 'up' | 'down'
  ms: number
  reason?: string
}

/** `/health/live`: the process responds. `/health/ready`: so does every part that requests need, and it goes on. */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  const checkParts = shareRunning(() => checkAll(deps))

  app.get('/health/live', async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    return { data: { status: 'live' } }
  })

  app.get('/health/ready', async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    const parts = await checkParts()
    if (deps.isStopping())
      throw new AppError('UNAVAILABLE', { message: 'Not ready: the service is stopping.' })
    const down = Object.keys(parts).filter((name) => parts[name]?.status === 'down')
    if (down.length === 0) return { data: { status: 'ready', parts } }
    throw new AppError('UNAVAILABLE', { message: `Not ready: ${down.join(', ')}.`, details: { parts } })
  })
}

async function checkAll({ parts, log }: HealthDeps): Promise<Record<string, PartHealth>> {
  const checked = Object.entries(parts).map(
    async ([name, check]) => [name, await checkPart(name, check, log)] as const,
  )
  return Object.fromEntries(await Promise.all(checked))
}

async function checkPart(name: string, check: HealthCheck, log: Log): Promise<PartHealth> {
  const startedAtMs = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAtMs)
  const answered = new AbortController()
  const tooLate = delay(TIME_LIMIT_MS, 'too late', { signal: answered.signal }).catch(() => 'aborted')
  try {
    const outcome = await Promise.race([check().then(() => 'up'), tooLate])
    if (outcome === 'up') return { status: 'up', ms: elapsedMs() }
    return { status: 'down', ms: elapsedMs(), reason: `no response within ${TIME_LIMIT_MS} ms` }
  } catch (error) {
    // What exactly failed is for the log; anyone can read this response.
    log.warn({ err: error, part: name }, 'a part is not ready')
    return { status: 'down', ms: elapsedMs(), reason: 'failed' }
  } finally {
    answered.abort()
  }
}

/** Callers that come while a check runs get its result, so that probes cannot pile up on a part that hangs. */
function shareRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
