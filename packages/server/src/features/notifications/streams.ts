import { PassThrough, type Readable } from 'node:stream'
import { AppError } from '@agent-marketplace/contract'
import type { StreamLimits } from '../../house/outside.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Log } from '../../platform/log/log.ts'
import { readMessage } from './announcer.ts'
import { createDelivery, type Receiver } from './delivery.ts'
import { findStreamStart } from './store.ts'
import { createWatchers } from './watchers.ts'

export interface NotificationStreamsDeps extends StreamLimits {
  db: Database
  log: Log
  /** Whether what a stream was opened with still holds; asked at every heartbeat, and when the owner changes. */
  isLive: (principal: Principal) => Promise<boolean>
}

export interface NotificationStreams {
  /** The bytes of a new stream: first what came after `lastEventId`, then everything new. Destroying it ends it. */
  open(opening: StreamOpening): Promise<Readable>
  /** Ends at once the owner's streams that no longer may be open; those of all owners when none is named. */
  recheck(ownerId?: string): Promise<void>
  /** Calls `wake` whenever the owner may have news about the page, until the function that it returns is called. */
  watch(page: { ownerId: string; link: string }, wake: () => void): () => void
  /** The number of open streams. */
  size(): number
  /** Ends all streams and takes no new ones. */
  close(): Promise<void>
}

export interface StreamOpening {
  principal: Principal
  /** Where the client connects from. */
  address: string
  lastEventId: string | undefined
}

interface Client {
  principal: Principal
  address: string
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
  maxStreams = 5_000,
  maxStreamsPerAddress = 100,
  maxStreamsPerOwner = 10,
  maxWaitingBytes = 256 * 1024,
  replayLimit = 500,
}: NotificationStreamsDeps): Promise<NotificationStreams> {
  const clients = new Set<Client>()
  const delivery = createDelivery({ db, log })
  let isClosed = false

  /** From here on the client is registered, even while the start of its stream is still looked up. */
  function addClient({ principal, address }: StreamOpening): Client {
    const client: Client = { principal, address, stream: new PassThrough() }
    clients.add(client)
    client.stream.once('close', () => clients.delete(client))
    return client
  }

  function send({ stream }: Client, text: string): void {
    if (!stream.writable) return
    // Checked before writing, so that one large batch reaches a client that reads, and each reconnect makes progress.
    if (waitingBytes(stream) > maxWaitingBytes) stream.destroy()
    else stream.write(text)
  }

  function checkRoom(opening: StreamOpening): void {
    if (isClosed) throw new AppError('UNAVAILABLE', { message: 'The server is stopping.' })
    const details = { retryAfterSeconds: Math.ceil(heartbeatMs / 1000) }
    if (clients.size >= maxStreams) {
      throw new AppError('UNAVAILABLE', { message: 'Too many streams are open right now.', details })
    }
    let [ofOwner, ofAddress] = [0, 0]
    for (const { principal, address } of clients) {
      if (principal.ownerId === opening.principal.ownerId) ofOwner += 1
      if (address === opening.address) ofAddress += 1
    }
    const refuse = (limit: number, whose: string): never => {
      const message = `At most ${limit} streams of one ${whose} can be open at once.`
      throw new AppError('RATE_LIMIT_EXCEEDED', { message, details: { ...details, limit } })
    }
    if (ofOwner >= maxStreamsPerOwner) refuse(maxStreamsPerOwner, 'owner')
    if (ofAddress >= maxStreamsPerAddress) refuse(maxStreamsPerAddress, 'network address')
  }

  async function mayStay({ principal }: Client): Promise<boolean> {
    try {
      return await isLive(principal)
    } catch (error) {
      // Unknown right now. The stream stays open; the next heartbeat checks again.
      log.warn({ err: error }, 'the session of a stream could not be checked')
      return true
    }
  }

  async function beatClient(client: Client): Promise<void> {
    if (await mayStay(client)) send(client, ': still here\n\n')
    else client.stream.end()
  }

  /** Sends every client a comment and whatever it was not sent yet, and ends the streams of sessions that no longer live. */
  async function beat(): Promise<void> {
    delivery.deliverToAll()
    await Promise.all([...clients].map(beatClient))
  }

  const watchers = createWatchers()
  const stopListening = await db.listen(
    'owner_notified',
    (message) => {
      const { ownerId, links } = readMessage(message)
      delivery.deliverTo(ownerId)
      watchers.wake(ownerId, links)
    },
    () => {
      delivery.deliverToAll()
      watchers.wakeAll()
    },
  )
  let heartbeat = setTimeout(beatAndWait, heartbeatMs).unref()
  async function beatAndWait(): Promise<void> {
    await beat()
    if (!isClosed) heartbeat = setTimeout(beatAndWait, heartbeatMs).unref()
  }

  return {
    size: () => clients.size,
    watch: watchers.watch,

    async recheck(ownerId) {
      const concerned = [...clients].filter(
        ({ principal }) => ownerId === undefined || principal.ownerId === ownerId,
      )
      await Promise.all(concerned.map(beatClient))
    },

    async open(opening) {
      const { principal, lastEventId } = opening
      const { ownerId } = principal
      checkRoom(opening)
      const client = addClient(opening)
      try {
        // A change that was announced before the client had its place is found here, a later one by `recheck`.
        if (!(await mayStay(client))) throw new AppError('UNAUTHORIZED')
        const seq = await findStreamStart(db, { ownerId, lastEventId, replayLimit })
        const receiver: Receiver = { ownerId, seq, send: (text) => send(client, text) }
        // The first bytes make the head of the response leave at once; a browser waits this long before it comes back.
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
      if (isClosed) return
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
