import { Redis } from 'ioredis'
import type { BaseLogger } from 'pino'
import { PRIMARY_ONLY, type Replicas } from './replicas.ts'

/** Keeps the greater of two positions, because the writes of two processes may be remembered in either order. */
const rememberScript = `
local known = tonumber(redis.call('GET', KEYS[1]) or '-1')
if tonumber(ARGV[1]) > known then redis.call('SET', KEYS[1], ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])`

const COMMAND_TIMEOUT_MS = 250
const MARGIN_MS = 5_000

/** How far an owner has written, so that all processes show them at least that. */
export interface OwnWrites {
  /** Everything that this owner has committed so far. */
  remember(ownerId: string): Promise<void>
  /** Undefined where they have written nothing that any replica in use could miss. */
  positionOf(ownerId: string): Promise<bigint | undefined>
  close(): void
}

/** Without Redis processes do not know of each other's writes: signed-in callers read the primary. */
export const noOwnWrites: OwnWrites = {
  remember: async () => undefined,
  positionOf: async () => PRIMARY_ONLY,
  close: () => undefined,
}

interface OwnWritesOptions {
  url: string
  replicas: Pick<Replicas, 'position' | 'maxLagMs'>
  log: BaseLogger
  keyPrefix?: string
}

/**
 * In Redis, for as long as a replica that is used may lag. While Redis does not respond, signed-in callers read the
 * primary. A write of the very moment in which Redis fails and comes back may be missed.
 */
export function createOwnWrites({ url, replicas, log, keyPrefix = 'wrote:' }: OwnWritesOptions): OwnWrites {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  })
  redis.on('error', (error) => log.debug({ err: error }, 'redis does not respond'))
  const keptMs = replicas.maxLagMs + MARGIN_MS

  return {
    async remember(ownerId) {
      const position = await replicas.position().catch(() => PRIMARY_ONLY)
      await redis
        .eval(rememberScript, 1, keyPrefix + ownerId, String(position), keptMs)
        .catch((error) => log.warn({ err: error }, 'a write could not be remembered for replicas'))
    },
    async positionOf(ownerId) {
      const known = await redis.get(keyPrefix + ownerId).catch(() => String(PRIMARY_ONLY))
      return known === null ? undefined : BigInt(known)
    },
    close: () => redis.disconnect(),
  }
}
