import { PassThrough, type Readable } from 'node:stream'
import { AppError } from '@agent-marketplace/contract'
import type { Database } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Log } from '../../platform/log/log.ts'
import { createDelivery, type Receiver } from './delivery.ts'
import { findStreamStart } from './store.ts'

export interface NotificationStreamsDeps {
  db: Database
  log: Log
  /** Whether the session behind a stream still lives; asked at every heartbeat. */
  isLive: (principal: Principal) => Promise<boolean>
  heartbeatMs?: number
  maxStreamsPerOwner?: number
  /** A client that has let more than this wait is dropped; it comes back and is sent the rest. */
  maxWaitingBytes?: number
  /** How many missed notifications a returning client is sent at most; the list has the older ones. */
  replayLimit?: number
}

export interface NotificationStreams {
  /** The bytes of a new stream: first what came after `lastEventId`, then everything new. Destroying it ends it. */
  open(principal: Principal, lastEventId: string | undefined): Promise<Readable>
  /** Sends every client a comment and whatever it was not sent yet, and ends the streams of sessions that no longer live. */
  beat(): Promise<void>
  /** The number of open streams. */
  size(): number
  /** Ends all streams and takes no new ones; belongs into the server's preClose. */
  close(): Promise<void>
}

interface Client {
  principal: Principal
  stream: PassThrough
}

/**
 * The live feeds of one process. All of them hang on one listening connection: it says that an owner has something
 * new, and what that is comes from the table, by `seq`. So a lost message delays a notification and never loses it.
 */
export async function createNotificationStreams({
  db,
  log,
  isLive,
  heartbeatMs = 15_000,
  maxStreamsPerOwner = 10,
  maxWaitingBytes = 256 * 1024,
  replayLimit = 500,
}: NotificationStreamsDeps): Promise<NotificationStreams> {
  const clients = new Set<Client>()
  const delivery = createDelivery({ db, log })
  let isClosed = false

  /** From here on the client has its place, even while the start of its stream is still looked up. */
  function addClient(principal: Principal): Client {
    const client: Client = { principal, stream: new PassThrough() }
    clients.add(client)
    client.stream.once('close', () => clients.delete(client))
    return client
  }

  function send({ stream }: Client, text: string): void {
    if (!stream.writable) return
    // Looked at before writing, so that one large batch reaches a client that reads, and every return brings it further.
    if (waitingBytes(stream) > maxWaitingBytes) stream.destroy()
    else stream.write(text)
  }

  function checkRoom(ownerId: string): void {
    if (isClosed) throw new AppError('UNAVAILABLE', { message: 'The server is stopping.' })
    let openStreams = 0
    for (const { principal } of clients) if (principal.ownerId === ownerId) openStreams += 1
    if (openStreams < maxStreamsPerOwner) return
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `At most ${maxStreamsPerOwner} streams of one owner can be open at once.`,
      details: { retryAfterSeconds: Math.ceil(heartbeatMs / 1000) },
    })
  }

  async function beatClient(client: Client): Promise<void> {
    try {
      if (await isLive(client.principal)) send(client, ': still here\n\n')
      else client.stream.end()
    } catch (error) {
      // Nobody can tell right now. The stream stays; the next heartbeat asks again.
      log.warn({ err: error }, 'the session of a stream could not be checked')
    }
  }

  async function beat(): Promise<void> {
    delivery.deliverToAll()
    await Promise.all([...clients].map(beatClient))
  }

  const stopListening = await db.listen('owner_notified', delivery.deliverTo, delivery.deliverToAll)
  let heartbeat = setTimeout(beatAndWait, heartbeatMs).unref()
  async function beatAndWait(): Promise<void> {
    await beat()
    if (!isClosed) heartbeat = setTimeout(beatAndWait, heartbeatMs).unref()
  }

  return {
    beat,
    size: () => clients.size,

    async open(principal, lastEventId) {
      const { ownerId } = principal
      checkRoom(ownerId)
      const client = addClient(principal)
      try {
        const seq = await findStreamStart(db, { ownerId, lastEventId, replayLimit })
        const receiver: Receiver = { ownerId, seq, send: (text) => send(client, text) }
        // The first bytes make the head of the answer leave at once; a browser waits this long before it comes back.
        receiver.send('retry: 2000\n\n')
        delivery.add(receiver)
        client.stream.once('close', () => delivery.remove(receiver))
        return client.stream
      } catch (error) {
        client.stream.destroy()
        throw error
      }
    },

    async close() {
      isClosed = true
      clearTimeout(heartbeat)
      await stopListening()
      for (const { stream } of clients) {
        // A client that does not read would hold the stop up.
        if (waitingBytes(stream) > 0) stream.destroy()
        else stream.end()
      }
    },
  }
}

function waitingBytes(stream: PassThrough): number {
  return stream.writableLength + stream.readableLength
}
