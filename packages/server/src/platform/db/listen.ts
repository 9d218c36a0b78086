import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { BaseLogger } from 'pino'
import { type Connection, keepAlive } from './connection.ts'
import { explainFailure } from './errors.ts'
import { sql } from './sql.ts'

/** For a connection, and for each of its checks. */
const waitLimitMs = 3_000
const reconnectDelayMs = { first: 100, most: 2_000 } as const

interface ListenerOptions {
  connection: Connection
  /** How often the connection is checked. */
  checkMs: number
  channel: string
  onMessage: (payload: string) => void
  onGap: () => void
  onLost: () => void
  log: BaseLogger
}

/** Listens on a connection of its own and keeps it alive; the first connection must succeed. */
export async function openListener(options: ListenerOptions): Promise<() => Promise<void>> {
  const { onGap, onLost, log, channel } = options
  const stopped = new AbortController()
  let client: pg.Client

  const subscribe = async (): Promise<pg.Client> => {
    const fresh = await connect(options)
    checkRegularly(fresh, options)
    fresh.once('end', () => {
      if (!stopped.signal.aborted) void reconnect()
    })
    return fresh
  }

  const reconnect = async (): Promise<void> => {
    log.warn({ channel }, 'listening connection lost')
    onLost()
    for (
      let waitMs: number = reconnectDelayMs.first;
      ;
      waitMs = Math.min(waitMs * 2, reconnectDelayMs.most)
    ) {
      try {
        await delay(waitMs, undefined, { signal: stopped.signal })
        client = await subscribe()
        break
      } catch {
        if (stopped.signal.aborted) return
      }
    }
    if (stopped.signal.aborted) return client.end()
    onGap()
  }

  client = await subscribe()
  return async () => {
    stopped.abort()
    await client.end()
  }
}

/**
 * Nothing is ever sent on this connection, so one that broke without a word looks like one on which nothing happens. To
 * listen again changes nothing, and fails on a broken one.
 */
function checkRegularly(client: pg.Client, { channel, checkMs }: ListenerOptions): void {
  let isChecking = false
  const timer = setInterval(async () => {
    if (isChecking) return
    isChecking = true
    await client.query(listenTo(channel)).catch(() => client.end().catch(() => undefined))
    isChecking = false
  }, checkMs).unref()
  client.once('end', () => clearInterval(timer))
}

const listenTo = (channel: string): string => sql`listen ${sql.ident(channel)}`.text

async function connect({ connection, channel, onMessage, log }: ListenerOptions): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    ...keepAlive,
    connectionTimeoutMillis: waitLimitMs,
    query_timeout: waitLimitMs,
  })
  client.on('error', (error) => log.debug({ err: error }, 'listening connection failed'))
  client.on('notification', ({ payload }) => onMessage(payload ?? ''))
  try {
    await client.connect()
    await client.query(listenTo(channel))
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw explainFailure(error)
  }
}
